/** Sums and costs of usage. */

import { expect, test } from 'vitest';
import type { ModelRequest } from '../../runtime/spec/model.ts';
import { costOf, estimateUsage, noUsage, usageSum } from './usage.ts';

test('a sum keeps the known counts', () => {
  expect(usageSum({ ...noUsage, input: 3 }, { ...noUsage, input: 4, output: 5 })).toEqual({
    input: 7,
    cached: null,
    output: 5,
    reasoning: null,
  });
});

test('a sum has cache writes if either usage has them', () => {
  const written = { ...noUsage, cacheWrites: 5 };
  expect(usageSum(written, { ...noUsage, cacheWrites: 6 })).toEqual({
    ...noUsage,
    cacheWrites: 11,
  });
  expect(usageSum(noUsage, written)).toEqual(written);
  expect(usageSum(noUsage, noUsage)).toEqual(noUsage);
});

const info = { price: { input: 3, cached: 0.3, output: 15 } };
const usage = { input: 1_000_000, cached: 400_000, output: 100_000, reasoning: null };

test('cache reads and cache writes are counted at their own prices', () => {
  expect(costOf(info, usage)).toBeCloseTo(0.6 * 3 + 0.4 * 0.3 + 0.1 * 15);
  const written = { ...usage, cacheWrites: 500_000 };
  expect(costOf(info, written)).toBeCloseTo(0.1 * 3 + 0.5 * 3.75 + 0.4 * 0.3 + 0.1 * 15);
});

test('a long request has the prices of long requests', () => {
  const long = { over: 200_000, input: 6, cached: 0.6, output: 22.5 };
  const priced = { price: { ...info.price, long } };
  expect(costOf(priced, usage)).toBeCloseTo(0.6 * 6 + 0.4 * 0.6 + 0.1 * 22.5);
  expect(costOf(priced, { ...usage, input: 200_000, cached: 0 })).toBeCloseTo(0.2 * 3 + 0.1 * 15);
});

test('the cost is unknown without price or usage, and partial if one count is missing', () => {
  expect(costOf({ price: null }, usage)).toBeNull();
  expect(costOf(undefined, usage)).toBeNull();
  expect(costOf(info, { input: null, cached: null, output: null, reasoning: null })).toBeNull();
  expect(costOf(info, { ...usage, input: null, cached: null })).toBeCloseTo(1.5);
});

test('the usage of a cut answer is estimated from the characters of request and answer', () => {
  const request: ModelRequest = {
    system: 'x'.repeat(40),
    messages: [
      {
        role: 'user',
        parts: [
          { type: 'text', text: 'y'.repeat(20) },
          { type: 'image', mediaType: 'image/png', data: 'A'.repeat(10_000) },
        ],
      },
      { role: 'assistant', parts: [{ type: 'text', text: 'z'.repeat(12) }] },
    ],
    tools: [],
  };
  expect(estimateUsage(request, [{ type: 'text', text: 'a'.repeat(9) }])).toEqual({
    input: 18,
    cached: null,
    output: 3,
    reasoning: null,
  });
});
