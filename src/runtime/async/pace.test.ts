import { expect, onTestFinished, test, vi } from 'vitest';
import { Budget, createPacer, type Frames, nextFrame, nextTask, paceByFrames } from './pace.ts';

test('a slice ends after some milliseconds, and rest begins a new one', async () => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => void vi.restoreAllMocks());
  const pacer = createPacer();
  expect(pacer.mustRest()).toBe(false);
  now += 20;
  expect(pacer.mustRest()).toBe(true);
  await pacer.rest();
  expect(pacer.mustRest()).toBe(false);
});

test('rest yields to timers', async () => {
  const turns: string[] = [];
  setTimeout(() => turns.push('timer'), 0);
  const pacer = createPacer();
  // On a busy machine, the timer may be late.
  for (let rests = 0; turns.length === 0 && rests < 100_000; rests += 1) await pacer.rest();
  expect(turns).toEqual(['timer']);
});

/** A page whose frames and timers fire on request. */
function fakePage() {
  const callbacks = new Map<number, () => void>();
  let last = 0;
  const schedule = (then: unknown): number => {
    last += 1;
    callbacks.set(last, then as () => void);
    return last;
  };
  const cancel = (id?: number): void => void callbacks.delete(id ?? 0);
  return {
    page: {
      requestAnimationFrame: schedule,
      cancelAnimationFrame: cancel,
      setTimeout: schedule as typeof window.setTimeout,
      clearTimeout: cancel,
    },
    fire: (which: 'frame' | 'timer') => callbacks.get(which === 'frame' ? 1 : 2)?.(),
    left: () => callbacks.size,
  };
}

test.each(['frame', 'timer'] as const)(
  'the work runs once, with the %s if that comes first',
  (first) => {
    const { page, fire, left } = fakePage();
    let done = 0;
    nextFrame(page, () => (done += 1));
    expect(done).toBe(0);
    fire(first);
    expect([done, left()]).toEqual([1, 0]);
  },
);

/** A page whose frames and timers run when the test says so. */
function bench() {
  const clock = { now: 1_000 };
  const frames: (() => void)[] = [];
  const timers: { readonly ms: number; run(): void }[] = [];
  const page = {
    requestAnimationFrame: (then: () => void) => frames.push(then),
    cancelAnimationFrame: () => undefined,
    setTimeout: (then: (...given: unknown[]) => void, ms: number, ...given: unknown[]) =>
      timers.push({ ms, run: () => then(...given) }),
    clearTimeout: () => undefined,
  } as unknown as Frames;
  const later = paceByFrames(page, () => clock.now);
  /** Draws a frame in which the update takes `ms` milliseconds. */
  const frame = async (ms: number): Promise<void> => {
    frames.shift()?.();
    clock.now += ms;
    await nextTask();
    await nextTask();
  };
  const drawn: string[] = [];
  return {
    clock,
    frames,
    timers,
    frame,
    drawn,
    draw: (name: string) => later(() => drawn.push(name)),
  };
}

test('the first update is drawn in the next frame, and those that follow some time after it', async () => {
  const { draw, frame, frames, timers, drawn, clock } = bench();
  draw('a');
  await frame(1);
  expect(drawn).toEqual(['a']);
  timers.length = 0;
  clock.now += 20;
  draw('b');
  expect([frames.length, timers.map(({ ms }) => ms)]).toEqual([0, [40]]);
  clock.now += 40;
  draw('c');
  await frame(1);
  expect(drawn).toEqual(['a', 'c']);
});

test('after an update that took long, the next waits several times as long, within limits', async () => {
  const { draw, frame, frames, timers, drawn, clock } = bench();
  draw('a');
  await frame(20);
  timers.length = 0;
  clock.now += 5;
  draw('b');
  expect([frames.length, timers.map(({ ms }) => ms)]).toEqual([0, [75]]);
  timers.shift()?.run();
  await frame(1_000);
  expect(drawn).toEqual(['a', 'b']);
  timers.length = 0;
  draw('c');
  expect(timers.map(({ ms }) => ms)).toEqual([150]);
  clock.now += 150;
  draw('d');
  expect(frames).toHaveLength(1);
});

test('a budget is spent when more is taken than it has', () => {
  const budget = new Budget(3);
  expect([budget.take(), budget.take(2), budget.isSpent]).toEqual([true, true, false]);
  expect([budget.take(), budget.isSpent, budget.take(0)]).toEqual([false, true, false]);
});
