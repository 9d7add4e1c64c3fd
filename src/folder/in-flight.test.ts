/** Processing a few items at a time. */

import { expect, test } from 'vitest';
import { inFlight } from './read.ts';

test('keeps the order and never exceeds the limit', async () => {
  let now = 0;
  let most = 0;
  const results = await inFlight([5, 1, 3, 0, 2], 2, async (ticks, index) => {
    now += 1;
    most = Math.max(most, now);
    for (let i = 0; i < ticks; i += 1) await Promise.resolve();
    now -= 1;
    return `${index}:${ticks}`;
  });
  expect(results).toEqual(['0:5', '1:1', '2:3', '3:0', '4:2']);
  expect(most).toBe(2);
});

test('starts no further item after a rejection', async () => {
  const begun: number[] = [];
  const running = inFlight([0, 1, 2, 3, 4, 5], 2, async (item) => {
    begun.push(item);
    await Promise.resolve();
    if (item === 1) throw new Error('one');
  });
  await expect(running).rejects.toThrow('one');
  await new Promise((resolve) => setTimeout(resolve));
  expect(begun).toEqual([0, 1, 2]);
});

test('does nothing without items', async () => {
  expect(await inFlight([], 8, () => Promise.resolve(1))).toEqual([]);
});
