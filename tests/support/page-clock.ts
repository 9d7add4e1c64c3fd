/** A page's clock that can be advanced, so that no test waits for its timers. */

import type { Page } from '@playwright/test';

interface Clock {
  forwardClock?: (ms: number, stepMs: number) => Promise<void>;
}

/** Timers that the page sets from now on can be advanced; earlier ones cannot. */
export function holdClock(page: Page): Promise<void> {
  return page.evaluate(holdClockHere);
}

/** Runs in the page. */
export function holdClockHere(): void {
  const clock = globalThis as Clock;
  if (clock.forwardClock) return;
  const set = setTimeout.bind(globalThis);
  const clear = clearTimeout.bind(globalThis);
  const now = performance.now.bind(performance);
  const date = Date.now.bind(Date);
  const pending = new Map<number, { due: number; run: () => void }>();
  let ahead = 0;
  performance.now = () => now() + ahead;
  Date.now = () => date() + ahead;
  const setLater = (then: (...args: unknown[]) => void, ms = 0, ...args: unknown[]): number => {
    const run = (): void => {
      pending.delete(timer);
      then(...args);
    };
    const timer = Number(set(run, ms));
    pending.set(timer, { due: performance.now() + ms, run });
    return timer;
  };
  globalThis.setTimeout = setLater as typeof setTimeout;
  globalThis.clearTimeout = (timer) => {
    pending.delete(Number(timer));
    clear(timer);
  };
  const step = (ms: number): void => {
    ahead += ms;
    const due = [...pending].filter(([, one]) => one.due <= performance.now());
    for (const [timer, { run }] of due) {
      clear(timer);
      run();
    }
  };
  clock.forwardClock = async (ms, stepMs) => {
    for (let left = ms; left > 0; left -= stepMs) {
      step(Math.min(left, stepMs));
      // Code that waited for this timer may set the next one.
      await Promise.resolve();
    }
  };
}

/**
 * Lets time pass in steps, at each of which every timer that is due fires. In one step it is as if the computer had
 * slept: timers are late, which some of the app's forgive.
 */
export function forwardClock(page: Page, ms: number, stepMs = ms): Promise<void> {
  return page.evaluate(
    async ([by, step]) => {
      const { forwardClock: forward } = globalThis as Clock;
      if (!forward) throw new Error('The clock is not held.');
      await forward(by, step);
    },
    [ms, stepMs] as const,
  );
}
