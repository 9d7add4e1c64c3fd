/** How the log cuts a call. */

import { expect, test } from 'vitest';
import { shortenCall, sizeOf } from './shorten-call.ts';
import { fakeLogged } from './logged-call.fixture.ts';

const MB = 1_000_000;

test('a small call is stored as it is', () => {
  const entry = fakeLogged(1, { stdout: 'x'.repeat(400_000) });
  expect(shortenCall(entry)).toBe(entry);
});

test('everything that can be long counts', () => {
  const small = sizeOf(fakeLogged(1));
  const long = 'x'.repeat(10_000);
  const sizes = [
    sizeOf(fakeLogged(1, {}, long)),
    sizeOf(fakeLogged(1, { textResultForLlm: long })),
    sizeOf(fakeLogged(1, { stdout: long })),
    sizeOf(fakeLogged(1, { stderr: long })),
    sizeOf(fakeLogged(1, { metadata: long })),
    sizeOf(fakeLogged(1, { traceback: long })),
    sizeOf(fakeLogged(1, { error: long })),
    sizeOf(fakeLogged(1, { content: [{ type: 'text', text: long }] })),
    sizeOf(fakeLogged(1, { content: [{ type: 'image', mediaType: 'image/png', data: long }] })),
    sizeOf(fakeLogged(1, { updates: [{ n: 0, json: long }] })),
    sizeOf(fakeLogged(1, { log: [{ level: 'info', message: long }] })),
  ];
  expect(sizes.filter((size) => size < small + 9_900)).toEqual([]);
});

test.each([
  ['arguments', fakeLogged(1, {}, 'x'.repeat(10 * MB))],
  ['a text', fakeLogged(1, { textResultForLlm: 'x'.repeat(10 * MB) })],
  ['output', fakeLogged(1, { stdout: 'x'.repeat(MB), stderr: 'y'.repeat(MB) })],
  ['an error', fakeLogged(1, { error: 'x'.repeat(5 * MB), traceback: 'y'.repeat(5 * MB) })],
  ['metadata', fakeLogged(1, { metadata: JSON.stringify('x'.repeat(5 * MB)) })],
  [
    'many parts',
    fakeLogged(1, {
      content: Array.from({ length: 200_000 }, () => ({ type: 'text', text: 'x' })),
    }),
  ],
  [
    'many updates',
    fakeLogged(1, { updates: Array.from({ length: 100_000 }, (_, n) => ({ n, json: '1' })) }),
  ],
  [
    'many lines',
    fakeLogged(1, { log: Array.from({ length: 100_000 }, () => ({ level: 'info', message: '' })) }),
  ],
])('%s too long: cut, and marked as cut', (_name, entry) => {
  const kept = shortenCall(entry);
  expect(kept.cut).toBe(true);
  expect(sizeOf(kept)).toBeLessThanOrEqual(MB + 1_000);
  expect([kept.id, kept.at, kept.folder, kept.call.tool]).toEqual([
    entry.id,
    entry.at,
    entry.folder,
    entry.call.tool,
  ]);
});

test('the end of a text is cut, and short texts stay complete', () => {
  const kept = shortenCall(
    fakeLogged(
      1,
      {
        textResultForLlm: `begin${'x'.repeat(5 * MB)}`,
        stdout: 'printed',
        error: 'ValueError: no',
      },
      '{"city":"Oslo"}',
    ),
  );
  expect(kept.call.arguments).toBe('{"city":"Oslo"}');
  expect([kept.result.stdout, kept.result.error]).toEqual(['printed', 'ValueError: no']);
  expect(kept.result.textResultForLlm).toHaveLength(200_000);
  expect(kept.result.textResultForLlm.startsWith('beginxxx')).toBe(true);
});

test('JSON texts and images are never stored incomplete', () => {
  const long = 'x'.repeat(2 * MB);
  const kept = shortenCall(
    fakeLogged(1, {
      metadata: JSON.stringify({ long }),
      content: [
        { type: 'json', text: JSON.stringify(long) },
        { type: 'image', mediaType: 'image/png', data: long },
        { type: 'json', text: '{"small":true}' },
        { type: 'image', mediaType: 'image/png', data: 'AAAA' },
      ],
      updates: [
        { n: 0, json: JSON.stringify(long) },
        { n: 1, json: '"small"' },
      ],
    }),
  );
  expect(kept.result.metadata).toBe('{}');
  expect(
    kept.result.content.map((part) => [part.type, 'text' in part ? part.text.length : part.data]),
  ).toEqual([
    ['text', 100_000],
    ['text', '(image/png, too large for the log)'.length],
    ['json', '{"small":true}'.length],
    ['image', 'AAAA'],
  ]);
  expect(kept.result.updates).toEqual([{ n: 1, json: '"small"' }]);
});
