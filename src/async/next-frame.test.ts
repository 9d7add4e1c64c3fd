import { expect, test } from 'vitest';
import { nextFrame } from './pace.ts';

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
