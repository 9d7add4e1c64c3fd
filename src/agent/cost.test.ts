import { expect, it } from 'vitest';
import { costOf } from './cost.ts';

const info = { price: { input: 3, cached: 0.3, output: 15 } };
const usage = { input: 1_000_000, cached: 400_000, output: 100_000, reasoning: null };

it('counts what is read from a cache, and what is written to one, each at its price', () => {
  expect(costOf(info, usage)).toBeCloseTo(0.6 * 3 + 0.4 * 0.3 + 0.1 * 15);
  const written = { ...usage, cacheWrites: 500_000 };
  expect(costOf(info, written)).toBeCloseTo(0.1 * 3 + 0.5 * 3.75 + 0.4 * 0.3 + 0.1 * 15);
});

it('knows nothing where the price or the usage is unknown, and something where half of it is', () => {
  expect(costOf({ price: null }, usage)).toBeNull();
  expect(costOf(undefined, usage)).toBeNull();
  expect(costOf(info, { input: null, cached: null, output: null, reasoning: null })).toBeNull();
  expect(costOf(info, { ...usage, input: null, cached: null })).toBeCloseTo(1.5);
});
