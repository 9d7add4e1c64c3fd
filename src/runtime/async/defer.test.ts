import { expect, test } from 'vitest';
import { defer } from './defer.ts';

test('deferred work runs once for all requests before it, and again for later ones', () => {
  const scheduled: (() => void)[] = [];
  let done = 0;
  const ask = defer(
    () => (done += 1),
    (then) => scheduled.push(then),
  );
  ask();
  ask();
  expect([scheduled.length, done]).toEqual([1, 0]);
  scheduled[0]?.();
  ask();
  expect([scheduled.length, done]).toEqual([2, 1]);
});
