import { expect, test } from 'vitest';
import { noUsage, usageSum } from './usage.ts';

test('sums keep what is known', () => {
  expect(usageSum({ ...noUsage, input: 3 }, { ...noUsage, input: 4, output: 5 })).toEqual({
    ...{ input: 7, cached: null, output: 5, reasoning: null },
  });
});

test('what was written to a cache is in a sum where anybody says it', () => {
  const written = { ...noUsage, cacheWrites: 5 };
  expect(usageSum(written, { ...noUsage, cacheWrites: 6 })).toEqual({
    ...noUsage,
    cacheWrites: 11,
  });
  expect(usageSum(noUsage, written)).toEqual(written);
  expect(usageSum(noUsage, noUsage)).toEqual(noUsage);
});
