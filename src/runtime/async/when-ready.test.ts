/** Tests of what is used once it is ready. */

import { expect, test, vi } from 'vitest';
import { whenReady } from './when-ready.ts';

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
