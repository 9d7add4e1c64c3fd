import { expect, test } from 'vitest';
import type { DraftPart } from '../../../../agent/session/log/draft.ts';
import { groupParts } from './grouped-parts.ts';

const call = (id: string): DraftPart => ({
  type: 'call',
  id,
  askedId: id,
  wire: 'w',
  tool: 't',
  arguments: '{}',
});
const text: DraftPart = { type: 'text', text: 'Then' };
const writing: DraftPart = { type: 'writing-call', wire: 'w', arguments: '{' };

test('calls that follow one another are a group, a single call is not', () => {
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(call);
  if (a === undefined || b === undefined || c === undefined || d === undefined) throw new Error();
  expect(groupParts([text, a, b, c, text, d, writing])).toEqual([
    text,
    { type: 'calls', calls: [a, b, c] },
    text,
    d,
    writing,
  ]);
  expect(groupParts([])).toEqual([]);
});
