import { expect, test } from 'vitest';
import { nextFrame } from './next-frame.ts';

/** A page whose pictures and timers come when they are told to. */
function fakePage() {
  const waiting = new Map<number, () => void>();
  let last = 0;
  const ask = (then: unknown): number => {
    last += 1;
    waiting.set(last, then as () => void);
    return last;
  };
  const cancel = (id?: number): void => void waiting.delete(id ?? 0);
  return {
    page: {
      requestAnimationFrame: ask,
      cancelAnimationFrame: cancel,
      setTimeout: ask as typeof window.setTimeout,
      clearTimeout: cancel,
    },
    come: (which: 'picture' | 'timer') => waiting.get(which === 'picture' ? 1 : 2)?.(),
    left: () => waiting.size,
  };
}

test.each(['picture', 'timer'] as const)(
  'it is done once, with the %s where that comes first',
  (first) => {
    const { page, come, left } = fakePage();
    let done = 0;
    nextFrame(page, () => (done += 1));
    expect(done).toBe(0);
    come(first);
    expect([done, left()]).toEqual([1, 0]);
  },
);
