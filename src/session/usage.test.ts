import { expect, test } from 'vitest';
import { noUsage, usageSum } from './usage.ts';

test('sums keep what is known', () => {
  expect(usageSum({ ...noUsage, input: 3 }, { ...noUsage, input: 4, output: 5 })).toEqual({
    ...{ input: 7, cached: null, output: 5, reasoning: null },
  });
});
