/** The time limits of a call, which pause while the user is asked. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CallLimits } from './call-limits.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test('a call ends when its total time has passed', () => {
  const time = new CallLimits(1_000, 5_000);
  vi.advanceTimersByTime(999);
  expect(time.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect([time.signal.aborted, time.signal.reason]).toEqual([true, 'Its limit is 1 s.']);
});

test('the time that the user takes to answer does not count', () => {
  const time = new CallLimits(1_000, 300);
  vi.advanceTimersByTime(200);
  time.pause();
  time.pause();
  vi.advanceTimersByTime(60_000);
  time.resume();
  vi.advanceTimersByTime(60_000);
  expect(time.signal.aborted).toBe(false);
  time.resume();
  vi.advanceTimersByTime(299);
  expect(time.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(time.signal.reason).toBe('It made no progress for 0.3 s.');
});

test('after a pause, the total time continues where it stopped', () => {
  const time = new CallLimits(1_000, 5_000);
  vi.advanceTimersByTime(800);
  time.pause();
  vi.advanceTimersByTime(10_000);
  time.resume();
  vi.advanceTimersByTime(199);
  expect(time.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(time.signal.aborted).toBe(true);
});

test('a late answer does not end a call that is already over', () => {
  const time = new CallLimits(1_000, 5_000);
  time.pause();
  time.stop();
  time.resume();
  vi.advanceTimersByTime(5_000);
  expect(time.signal.aborted).toBe(false);
});
