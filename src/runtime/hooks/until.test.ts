import { expect, test } from 'vitest';
import { until } from './until.ts';

function createCount() {
  const listeners = new Set<() => void>();
  const count = {
    value: 0,
    listeners,
    observe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    set: (value: number) => {
      count.value = value;
      for (const listener of listeners) listener();
    },
  };
  return count;
}

test('the wait ends at the first change after which the condition holds, and observes no more', async () => {
  const count = createCount();
  let isOver = false;
  const waiting = until(count, () => count.value > 1).then(() => (isOver = true));
  count.set(1);
  await Promise.resolve();
  expect([isOver, count.listeners.size]).toEqual([false, 1]);
  count.set(2);
  await waiting;
  expect(count.listeners.size).toBe(0);
});

test('a condition that already holds is not waited for', async () => {
  const count = createCount();
  await until(count, () => true);
  expect(count.listeners.size).toBe(0);
});
