import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PatientTimers, patientTimeout } from './timers.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Makes the next clock reading late by `ms` milliseconds. */
function late(ms: number): void {
  const now = performance.now();
  vi.spyOn(performance, 'now').mockReturnValueOnce(now + 1_000 + ms);
}

it('fires on time, and can be cancelled', async () => {
  const then = vi.fn();
  patientTimeout(1_000, then);
  patientTimeout(1_000, then)();
  await vi.advanceTimersByTimeAsync(999);
  expect(then).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(then).toHaveBeenCalledTimes(1);
});

it('waits again once if a hidden page delays it', async () => {
  const then = vi.fn();
  patientTimeout(1_000, then);
  late(60_000);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(then).not.toHaveBeenCalled();
  late(60_000);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(then).toHaveBeenCalledTimes(1);
});

it('waits again after each time that the page slept', async () => {
  const then = vi.fn();
  patientTimeout(1_000, then);
  for (let nap = 0; nap < 3; nap += 1) {
    late(3_600_000);
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect(then).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(then).toHaveBeenCalledTimes(1);
});

it('keeps one timer of the browser for many timeouts, and fires each on time', async () => {
  const timers = new PatientTimers();
  const fired: number[] = [];
  const from = performance.now();
  const note = (): void => {
    fired.push(performance.now() - from);
  };
  for (let call = 0; call < 100; call += 1) timers.after(1_000, note)();
  timers.after(1_500, note);
  timers.after(2_000, note);
  timers.after(300, note);
  expect(vi.getTimerCount()).toBe(1);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(fired).toEqual([300, 1_500, 2_000]);
  expect(vi.getTimerCount()).toBe(0);
});
