import { expect, test } from 'vitest';
import { threadMs } from '../tests/support/thread-time.ts';

test('the processor time of the thread grows while it works', () => {
  const began = threadMs();
  const until = performance.now() + 50;
  while (performance.now() < until);
  expect(threadMs() - began).toBeGreaterThan(0);
  expect(began).toBeGreaterThan(0);
});
