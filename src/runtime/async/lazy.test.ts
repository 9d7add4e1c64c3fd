import { expect, test } from 'vitest';
import { lazy } from './lazy.ts';

test('a value is created on first use, and once', async () => {
  let made = 0;
  const value = lazy(() => Promise.resolve((made += 1)));
  expect(made).toBe(0);
  expect(await Promise.all([value(), value()])).toEqual([1, 1]);
  expect(await value()).toBe(1);
});

test('a failure reaches every waiting caller, and the next call tries again', async () => {
  let tries = 0;
  const value = lazy(() => {
    tries += 1;
    return tries === 1 ? Promise.reject(new Error('offline')) : Promise.resolve(tries);
  });
  const both = await Promise.allSettled([value(), value()]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await value()).toBe(2);
});
