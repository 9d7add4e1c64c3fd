import { expect, test } from 'vitest';
import { nextTask, pacedFrames, type Frames } from './pace.ts';

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
  const later = pacedFrames(page, () => clock.now);
  /** Draws a frame in which the update takes `ms` milliseconds. */
  const frame = async (ms: number): Promise<void> => {
    frames.shift()?.();
    clock.now += ms;
    await nextTask();
    await nextTask();
  };
  const drawn: string[] = [];
  return {
    ...{ clock, frames, timers, frame, drawn },
    draw: (name: string) => later(() => drawn.push(name)),
  };
}

test('updates that are drawn at once follow each other frame by frame', async () => {
  const { draw, frame, drawn, clock } = bench();
  for (const name of ['a', 'b', 'c']) {
    draw(name);
    await frame(0);
    clock.now += 1;
  }
  expect(drawn).toEqual(['a', 'b', 'c']);
});

test('after an update that took long, the next waits several times as long, within limits', async () => {
  const { draw, frame, frames, timers, drawn, clock } = bench();
  draw('a');
  await frame(10);
  timers.length = 0;
  clock.now += 5;
  draw('b');
  expect([frames.length, timers.map(({ ms }) => ms)]).toEqual([0, [35]]);
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
