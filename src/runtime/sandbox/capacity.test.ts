import { expect, it } from 'vitest';
import { capacityOf } from './interpreter-allocator.ts';

it('depends on memory and cores, and always leaves room to replace an interpreter', () => {
  const max = [
    { deviceMemory: 0.5, hardwareConcurrency: 8 },
    { deviceMemory: 4, hardwareConcurrency: 8 },
    { deviceMemory: 32, hardwareConcurrency: 2 },
    {},
  ].map((device) => capacityOf(device).max);
  expect(max).toEqual([3, 8, 12, 8]);
});

it('gives a sparing page the fewest interpreters that work, and no spare', () => {
  const device = { deviceMemory: 32, hardwareConcurrency: 16 };
  expect(capacityOf(device, { sparing: true })).toMatchObject({
    max: 3,
    helpers: 1,
    keepsSpare: false,
  });
  expect(capacityOf(device)).toMatchObject({ max: 40, keepsSpare: true });
});

it('leaves one core to interpreters that are not helpers', () => {
  const helpers = [1, 2, 8].map((cores) => capacityOf({ hardwareConcurrency: cores }).helpers);
  expect(helpers).toEqual([1, 1, 6]);
});
