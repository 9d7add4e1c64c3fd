import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { pulse as ofInterpreters, watchPulse } from './heartbeat.ts';

const pulse = { restMs: 5_000, silenceMs: 15_000, lastChanceMs: 5_000 };
const never = (): Promise<never> => new Promise(() => undefined);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('reports silence once, after a second ping', async () => {
  const ask = vi.fn(never);
  const silent = vi.fn();
  watchPulse(ask, pulse, silent);
  await vi.advanceTimersByTimeAsync(24_999);
  expect([ask.mock.calls.length, silent.mock.calls.length]).toEqual([2, 0]);
  await vi.advanceTimersByTimeAsync(100_000);
  expect([ask.mock.calls.length, silent.mock.calls.length]).toEqual([2, 1]);
});

it('continues while answers come, also to the second ping', async () => {
  let asked = 0;
  const silent = vi.fn();
  watchPulse(() => (++asked % 2 === 0 ? Promise.resolve() : never()), pulse, silent);
  await vi.advanceTimersByTimeAsync(200_000);
  expect(asked).toBeGreaterThan(8);
  expect(silent).not.toHaveBeenCalled();
});

it('does nothing after it was stopped', async () => {
  const silent = vi.fn();
  const { stop } = watchPulse(never, pulse, silent);
  await vi.advanceTimersByTimeAsync(6_000);
  stop();
  await vi.advanceTimersByTimeAsync(100_000);
  expect(silent).not.toHaveBeenCalled();
});

it('tolerates that the page was suspended when the answer came', async () => {
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

it('tolerates that an interpreter answers only after nine seconds', async () => {
  const silent = vi.fn();
  const slow = () => new Promise((resolve) => setTimeout(resolve, 9_500));
  watchPulse(slow, ofInterpreters, silent);
  await vi.advanceTimersByTimeAsync(100_000);
  expect(silent).not.toHaveBeenCalled();
});

it('counts any other message as a sign of life, and still notices when these end', async () => {
  const silent = vi.fn();
  const { alive } = watchPulse(never, pulse, silent);
  for (let second = 0; second < 100; second += 10) {
    await vi.advanceTimersByTimeAsync(10_000);
    alive();
  }
  expect(silent).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(25_000);
  expect(silent).toHaveBeenCalledTimes(1);
  alive();
  await vi.advanceTimersByTimeAsync(100_000);
  expect(silent).toHaveBeenCalledTimes(1);
});
