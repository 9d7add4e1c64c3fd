import { expect, test } from 'vitest';
import type { Stream } from '../../../spec/result.ts';
import { noOutput, withStream } from './live-output.ts';

const batch = (over: Partial<Stream>): Stream => ({
  updates: [],
  dropped: 0,
  out: '',
  err: '',
  log: [],
  ...over,
});

test('batches add up', () => {
  const first = withStream(
    noOutput,
    batch({ updates: [{ n: 0, json: '1' }], out: 'a\n', log: [{ level: 'info', message: 'x' }] }),
  );
  expect(
    withStream(first, batch({ updates: [{ n: 5, json: '2' }], dropped: 4, out: 'b\n', err: '!' })),
  ).toEqual({
    updates: [
      { n: 0, json: '1' },
      { n: 5, json: '2' },
    ],
    updateCount: 6,
    out: 'a\nb\n',
    err: '!',
    log: [{ level: 'info', message: 'x' }],
    cut: false,
  });
});

test('a flood keeps its end and says that it was cut', () => {
  let live = noOutput;
  for (let i = 0; i < 300; i += 1) {
    live = withStream(
      live,
      batch({ updates: [{ n: i, json: String(i) }], out: 'x'.repeat(1_000) }),
    );
  }
  expect([
    live.updates.length,
    live.updates.at(-1)?.n,
    live.updateCount,
    live.out.length,
    live.cut,
  ]).toEqual([100, 299, 300, 50_000, true]);
});
