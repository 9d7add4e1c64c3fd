/** Drafts and their deltas. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AskedCall } from '../../../runtime/spec/model.ts';
import { applyDelta, draftDelta, type DraftPart } from './draft.ts';

const call: AskedCall = {
  type: 'call',
  id: 'ours',
  askedId: 'theirs',
  wire: 'weather__today',
  tool: 'weather:today',
  arguments: '{"city":"Oslo"}',
};
const opaque = { made: { provider: 'p', model: 'm' }, data: { signature: 'x' } };

test('parts grow side by side, and a complete call replaces the one being written', () => {
  const first = applyDelta(
    [],
    [
      { part: 0, type: 'reasoning', text: 'Hm' },
      { part: 1, type: 'writing-call', wire: 'weather__today', arguments: '{"ci' },
    ],
  );
  const second = applyDelta(first, [
    { part: 1, type: 'writing-call', wire: 'weather__today', arguments: 'ty":"O' },
    { part: 0, type: 'reasoning', text: 'm.', opaque },
    { part: 2, type: 'text', text: 'I look' },
  ]);
  expect([first, second, applyDelta(second, [{ part: 1, type: 'call', call }])]).toEqual([
    [
      { type: 'reasoning', text: 'Hm' },
      { type: 'writing-call', wire: 'weather__today', arguments: '{"ci' },
    ],
    [
      { type: 'reasoning', text: 'Hmm.', opaque },
      { type: 'writing-call', wire: 'weather__today', arguments: '{"city":"O' },
      { type: 'text', text: 'I look' },
    ],
    [{ type: 'reasoning', text: 'Hmm.', opaque }, call, { type: 'text', text: 'I look' }],
  ]);
});

test('a text that turns out to be reasoning is replaced as a whole', () => {
  const before: DraftPart[] = [{ type: 'text', text: 'Hm' }];
  const after: DraftPart[] = [
    { type: 'reasoning', text: 'Hm.' },
    { type: 'text', text: 'Yes.' },
  ];
  expect(applyDelta(before, draftDelta(before, after))).toEqual(after);
});

test('a delta that does not fit is left out', () => {
  const parts: DraftPart[] = [{ type: 'text', text: 'a' }, call];
  expect(
    applyDelta(parts, [
      { part: 3, type: 'text', text: 'beyond the next' },
      { part: 1, type: 'reasoning', text: 'of another kind' },
      { part: 0, type: 'call', call },
      { part: 1, type: 'writing-call', wire: 'w', arguments: 'late' },
    ]),
  ).toEqual(parts);
});

test('equal parts have an empty delta', () => {
  const parts: DraftPart[] = [
    { type: 'text', text: 'a', opaque },
    { type: 'writing-call', wire: 'w', arguments: '' },
    call,
  ];
  expect([draftDelta(parts, parts), draftDelta([], [])]).toEqual([[], []]);
});

const text = fc.record({
  type: fc.constantFrom('text' as const, 'reasoning' as const),
  text: fc.string(),
});
const writing = fc.record({
  type: fc.constant('writing-call' as const),
  wire: fc.string(),
  arguments: fc.string(),
});
const anyParts = fc.array(fc.oneof(text, writing, fc.constant(call)), { maxLength: 6 });

test('applying the delta between any parts gives the later ones', () => {
  fc.assert(
    fc.property(anyParts, fc.nat(6), fc.nat(20), (after, max, chars) => {
      const before = after.slice(0, max).map((part) => earlier(part, chars));
      expect(applyDelta(before, draftDelta(before, after))).toEqual(after);
    }),
  );
});

/** The part with only some of its characters. */
function earlier(part: DraftPart, chars: number): DraftPart {
  if (part.type === 'call') {
    return { type: 'writing-call', wire: part.wire, arguments: part.arguments.slice(0, chars) };
  }
  if (part.type === 'writing-call') return { ...part, arguments: part.arguments.slice(0, chars) };
  return { ...part, text: part.text.slice(0, chars) };
}
