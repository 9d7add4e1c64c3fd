import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { patientTimeout } from './patient-timer.ts';

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
