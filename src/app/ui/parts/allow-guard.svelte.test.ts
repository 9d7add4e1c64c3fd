import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { afterShown, AllowGuard } from './allow-guard.svelte.ts';

test('a control is guarded if it cannot be known whether it allows something', () => {
  const unknown = (): boolean => {
    throw new TypeError('The tool is gone.');
  };
  const ready = [unknown, () => true, () => false].map((applies) => {
    const { isReady, isReadyForShortcut } = new AllowGuard(applies);
    return [isReady, isReadyForShortcut];
  });
  expect(ready).toEqual([
    [false, false],
    [false, false],
    [true, true],
  ]);
});

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function shown() {
  const frames = new Map<number, () => void>();
  const done = { times: 0 };
  const cancel = afterShown(500, () => (done.times += 1), {
    frame: (then) => frames.set(1, then).size,
    cancelFrame: (frame) => frames.delete(frame),
  });
  const paint = (): void => {
    frames.get(1)?.();
  };
  return { paint, cancel, done };
}

test('the time begins with the paint, since an unpainted question is not visible', () => {
  const { paint, done } = shown();
  vi.advanceTimersByTime(10_000);
  expect(done.times).toBe(0);
  paint();
  vi.advanceTimersByTime(499);
  expect(done.times).toBe(0);
  vi.advanceTimersByTime(1);
  expect(done.times).toBe(1);
});

test('a cancelled callback does not run, before or after the paint', () => {
  const early = shown();
  early.cancel();
  early.paint();
  const late = shown();
  late.paint();
  late.cancel();
  vi.advanceTimersByTime(1_000);
  expect([early.done.times, late.done.times]).toEqual([0, 0]);
});
