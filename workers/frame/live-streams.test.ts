import { expect, it } from 'vitest';
import type { Stream } from '../../src/spec/result.ts';
import { LiveStreams, merge } from './live-streams.ts';

const stream = (n: number, out = ''): Stream => ({
  updates: [{ n, json: String(n) }],
  dropped: 0,
  out,
  err: '',
  log: [],
});

it('sends one batch, and merges later ones until the page has processed it', () => {
  const sent: [number, Stream][] = [];
  const live = new LiveStreams((id, batch) => sent.push([id, batch]));
  live.begin(3);
  live.push(3, stream(0, 'a'));
  live.push(3, stream(1, 'b'));
  live.push(3, stream(2, 'c'));
  expect(sent).toEqual([[3, stream(0, 'a')]]);
  live.credit(3);
  expect(sent[1]).toEqual([3, merge(stream(1, 'b'), stream(2, 'c'))]);
});

it('sends nothing for calls that are not watched or have ended', () => {
  const sent: number[] = [];
  const live = new LiveStreams((id) => sent.push(id));
  live.push(1, stream(0));
  live.begin(2);
  live.end(2);
  live.push(2, stream(0));
  live.credit(2);
  expect(sent).toEqual([]);
});

it('limits the waiting batch to the first updates and the latest, and counts the rest', () => {
  let waiting = stream(0);
  for (let n = 1; n < 1_000; n += 1) waiting = merge(waiting, stream(n));
  expect(waiting.updates).toHaveLength(200);
  expect(waiting.updates.at(-1)).toEqual({ n: 999, json: '999' });
  expect(waiting.dropped).toBe(800);
});
