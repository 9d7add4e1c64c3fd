/** `npm run bench -- --against FILE`: which changes count, and how the spread of pairs is computed. */

import { expect, test } from 'vitest';
import { compare } from '../bench/compare.mjs';
import { medians } from '../bench/measure.mjs';
import type { Result } from '../bench/row.mjs';

function row(name: string, ratio: number, spread = 0): Result {
  return { name, unit: 'ms', ours: ratio * 10, floor: 10, target: 1, ratio, spread, met: true };
}

test('a change is one if it is larger than both spreads together', () => {
  const before = [row('a', 2, 0.05), row('b', 2, 0.05), row('c', 2, 0.05), row('d', 2)];
  const after = [row('a', 2.2, 0.04), row('b', 2.2, 0.06), row('c', 1.5, 0.05), row('d', 2)];
  expect(compare(before, after).map(({ name, verdict }) => [name, verdict])).toEqual([
    ['a', 'slower'],
    ['b', 'noise'],
    ['c', 'faster'],
    ['d', 'noise'],
  ]);
  expect(compare(before, after)[2]).toEqual({
    name: 'c',
    before: 2,
    after: 1.5,
    change: -0.25,
    verdict: 'faster',
  });
});

test('the machine’s speed cancels out', () => {
  const slow = { ...row('a', 2), ours: 200, floor: 100 };
  expect(compare([row('a', 2)], [slow])[0]?.verdict).toBe('noise');
});

test('a row that one of the two lacks has no verdict', () => {
  expect(compare([row('gone', 2)], [row('new', 3)])).toEqual([
    { name: 'new', before: null, after: 3, change: null, verdict: null },
    { name: 'gone', before: 2, after: null, change: null, verdict: null },
  ]);
});

test('the spread is half the distance of the quartiles of the ratios, against their median', () => {
  const measured = medians([10, 20, 30, 40, 50], [10, 10, 10, 10, 10]);
  expect(measured).toEqual({ ours: 30, floor: 10, spread: (4 - 2) / 2 / 3 });
  // Both sides of a pair were slow: that is no spread of the ratio.
  expect(medians([10, 20, 40], [5, 10, 20]).spread).toBe(0);
  expect(medians([10, 10, 10], 50)).toEqual({ ours: 10, floor: 50, spread: 0 });
});
