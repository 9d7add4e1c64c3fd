import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { coalesce } from './coalesce.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('the first request runs at once, and a burst runs once per interval', () => {
  const at: number[] = [];
  const start = Date.now();
  const ask = coalesce(() => at.push(Date.now() - start), 100);
  ask();
  for (let i = 0; i < 50; i += 1) {
    vi.advanceTimersByTime(1);
    ask();
  }
  vi.advanceTimersByTime(1_000);
  ask();
  expect(at).toEqual([0, 100, 1_050]);
});

test('a request made by the work itself is not lost', () => {
  let times = 0;
  const ask = coalesce(() => {
    times += 1;
    if (times < 3) ask();
  }, 10);
  ask();
  vi.advanceTimersByTime(100);
  expect(times).toBe(3);
});

test('a run can be forced in the middle of an interval, and covers the requests made before it', () => {
  const at: number[] = [];
  const start = Date.now();
  const ask = coalesce(() => at.push(Date.now() - start), 100);
  ask();
  vi.advanceTimersByTime(30);
  ask();
  ask.now();
  vi.advanceTimersByTime(50);
  ask();
  vi.advanceTimersByTime(1_000);
  expect(at).toEqual([0, 30, 130]);
});

test('cancel drops the waiting run', () => {
  let times = 0;
  const ask = coalesce(() => {
    times += 1;
  }, 10);
  ask();
  ask();
  ask.cancel();
  vi.advanceTimersByTime(100);
  expect(times).toBe(1);
});
