/** The time limits of a call, which pause while the user is asked. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PatientTimers } from '../async/timers.ts';
import { CallLimits } from './call-limits.ts';

function limits(wholeMs: number, idleMs: number) {
  const over = vi.fn();
  return { time: new CallLimits(new PatientTimers(), wholeMs, idleMs, over), over };
}

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test('a call ends when its total time has passed', () => {
  const { time, over } = limits(1_000, 5_000);
  vi.advanceTimersByTime(999);
  expect(over).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(over).toHaveBeenCalledTimes(1);
  expect(time.why).toBe('Its limit is 1 s.');
});

test('the time that the user takes to answer does not count', () => {
  const { time, over } = limits(1_000, 300);
  vi.advanceTimersByTime(200);
  time.pause();
  time.pause();
  vi.advanceTimersByTime(60_000);
  time.resume();
  vi.advanceTimersByTime(60_000);
  expect(over).not.toHaveBeenCalled();
  time.resume();
  vi.advanceTimersByTime(299);
  expect(over).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(time.why).toBe('It made no progress for 0.3 s.');
});

test('after a pause, the total time continues where it stopped', () => {
  const { time, over } = limits(1_000, 5_000);
  vi.advanceTimersByTime(800);
  time.pause();
  vi.advanceTimersByTime(10_000);
  time.resume();
  vi.advanceTimersByTime(199);
  expect(over).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(over).toHaveBeenCalledTimes(1);
  expect(time.ranMs).toBe(1_000);
});

test('a late answer does not end a call that is already over', () => {
  const { time, over } = limits(1_000, 5_000);
  time.pause();
  time.stop();
  time.resume();
  vi.advanceTimersByTime(5_000);
  expect(over).not.toHaveBeenCalled();
});
