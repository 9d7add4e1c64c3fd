/** How many files Python gets in one turn. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { inspectAll, oneTurn, type Turns } from './inspecting.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** Sizes of the turns for files that take so many milliseconds each. */
async function sizes(turns: Turns, ...times: number[]): Promise<number[]> {
  const taken: number[] = [];
  const files = times.map((_, n) => `${n}.py`);
  await inspectAll(files, turns, (some) => {
    taken.push(some.length);
    for (const file of some) vi.advanceTimersByTime(times[files.indexOf(file)] ?? 0);
    return Promise.resolve({ ended: some.length, survived: true, failed: null });
  });
  return taken;
}

const turns = { first: 4, most: 50, ms: 100 };

test('quick files go in few turns, and slow ones leave time for calls between them', async () => {
  expect(await sizes(turns, ...new Array<number>(104).fill(1))).toEqual([4, 50, 50]);
  expect(await sizes(turns, ...new Array<number>(12).fill(50))).toEqual([4, 2, 2, 2, 2]);
  expect(await sizes(turns, ...new Array<number>(7).fill(5_000))).toEqual([4, 1, 1, 1]);
  expect(await sizes(turns, ...new Array<number>(6).fill(0))).toEqual([4, 2]);
});

test('changed files go at once', async () => {
  expect(await sizes(oneTurn, ...new Array<number>(30).fill(500))).toEqual([30]);
});
