import { expect, test, vi } from 'vitest';
import { lazy, whenReady } from './late-value.ts';

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

test('a value is used once it is ready, and what was begun ends with the rest', async () => {
  const end = vi.fn();
  const use = vi.fn(() => end);
  const stop = whenReady(Promise.resolve(7), use);
  await Promise.resolve();
  expect(use).toHaveBeenCalledExactlyOnceWith(7);
  expect(end).not.toHaveBeenCalled();
  stop();
  expect(end).toHaveBeenCalledOnce();
});

test('a value that comes after the end is not used', async () => {
  const use = vi.fn(() => undefined);
  whenReady(Promise.resolve(7), use)();
  await Promise.resolve();
  expect(use).not.toHaveBeenCalled();
});
