import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { watchPulse } from './heartbeat.ts';

const pulse = { restMs: 5_000, silenceMs: 15_000, lastChanceMs: 5_000 };
const never = (): Promise<never> => new Promise(() => undefined);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('tells of silence once, after a second question', async () => {
  const ask = vi.fn(never);
  const silent = vi.fn();
  watchPulse(ask, pulse, silent);
  await vi.advanceTimersByTimeAsync(24_999);
  expect([ask.mock.calls.length, silent.mock.calls.length]).toEqual([2, 0]);
  await vi.advanceTimersByTimeAsync(100_000);
  expect([ask.mock.calls.length, silent.mock.calls.length]).toEqual([2, 1]);
});

it('goes on while there are answers, to the second question too', async () => {
  let asked = 0;
  const silent = vi.fn();
  watchPulse(() => (++asked % 2 === 0 ? Promise.resolve() : never()), pulse, silent);
  await vi.advanceTimersByTimeAsync(200_000);
  expect(asked).toBeGreaterThan(8);
  expect(silent).not.toHaveBeenCalled();
});

it('is quiet when it is over', async () => {
  const silent = vi.fn();
  const stop = watchPulse(never, pulse, silent);
  await vi.advanceTimersByTimeAsync(6_000);
  stop();
  await vi.advanceTimersByTimeAsync(100_000);
  expect(silent).not.toHaveBeenCalled();
});

it('forgives a page that slept through the time of the answer', async () => {
  let answer: () => void = () => undefined;
  const silent = vi.fn();
  watchPulse(() => new Promise<void>((resolve) => (answer = resolve)), pulse, silent);
  await vi.advanceTimersByTimeAsync(5_000);
  const clock = vi.spyOn(performance, 'now').mockReturnValue(10_000_000);
  await vi.advanceTimersByTimeAsync(15_000);
  clock.mockRestore();
  answer();
  await vi.advanceTimersByTimeAsync(0);
  expect(silent).not.toHaveBeenCalled();
});
