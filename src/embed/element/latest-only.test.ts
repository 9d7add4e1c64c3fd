import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LatestOnly } from './latest-only.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('of a thousand values at once, the first and the last are sent, and all are answered', async () => {
  const sent: number[] = [];
  const latest = new LatestOnly((value: number) => Promise.resolve(sent.push(value)));
  const all = Array.from({ length: 1_000 }, (_, n) => latest.send(n));
  await vi.runAllTimersAsync();
  await Promise.all(all);
  expect(sent).toEqual([0, 999]);
});

test('a value is sent at once if none is on its way, and by a flush', async () => {
  const sent: string[] = [];
  const latest = new LatestOnly((value: string) => Promise.resolve(sent.push(value)));
  void latest.send('a');
  expect(sent).toEqual(['a']);
  void latest.send('b');
  const last = latest.send('c');
  expect(sent).toEqual(['a']);
  latest.flush();
  expect(sent).toEqual(['a', 'c']);
  await last;
  await vi.runAllTimersAsync();
  void latest.send('d');
  expect(sent).toEqual(['a', 'c', 'd']);
});

test('a failure reaches those who wait for it, and the next value is sent', async () => {
  const latest = new LatestOnly((value: number) =>
    value === 2 ? Promise.reject(new Error('no')) : Promise.resolve(),
  );
  const one = latest.send(1);
  const two = latest.send(2);
  const three = latest.send(2);
  const failed = Promise.allSettled([one, two, three]);
  await vi.runAllTimersAsync();
  expect((await failed).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  await latest.send(4);
});
