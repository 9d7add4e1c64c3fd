/** How long the page's main thread is kept from everything else: what a person feels as a page that hangs. */

import { expect, type Page } from '@playwright/test';

/** Milliseconds that tests allow; the aim of 50 is for the benchmark. */
const mostStallMs = 100;
/** A stall that is ours comes every time; one that a shared machine adds does not. */
const attempts = 3;
const tick = 'cloche-tick';

interface TraceEvent {
  readonly name: string;
  /** Processor time of the thread, in microseconds. */
  readonly tts?: number;
}

/** Expects that the page stays responsive while `work` is done, which may be done more than once. */
export async function expectNoStall(page: Page, work: () => Promise<void>): Promise<void> {
  const seen: number[] = [];
  while (seen.length < attempts && (seen.at(-1) ?? Infinity) > mostStallMs)
    seen.push(await longestStall(page, work));
  expect(Math.min(...seen), `stalls of ${seen.join(', ')} ms`).toBeLessThanOrEqual(mostStallMs);
}

/**
 * Measures the most processor time that the page's main thread spends between two ticks of a timer, in milliseconds.
 * Not the time on the clock: a busy machine takes whole seconds from a thread that is not at fault.
 */
async function longestStall(page: Page, work: () => Promise<void>): Promise<number> {
  const browser = page.context().browser();
  if (!browser) throw new Error('Only a browser that was launched can be traced.');
  await browser.startTracing(page, { categories: ['blink.user_timing'] });
  const timer = await page.evaluate(
    (name) =>
      Number(
        setInterval(() => {
          performance.mark(name);
          performance.clearMarks(name);
        }, 10),
      ),
    tick,
  );
  try {
    await work();
  } finally {
    await page.evaluate(clearInterval, timer);
  }
  const { traceEvents } = JSON.parse(String(await browser.stopTracing())) as {
    traceEvents: readonly TraceEvent[];
  };
  const times = traceEvents.filter(({ name }) => name === tick).map(({ tts = NaN }) => tts / 1000);
  times.sort((a, b) => a - b);
  expect(times.length, 'ticks seen').toBeGreaterThan(5);
  return Math.max(...times.slice(1).map((time, index) => time - (times[index] ?? NaN)));
}
