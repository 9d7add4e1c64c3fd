/** Measures how long the page's main thread is busy without a pause, which users notice as a page that hangs. */

import { test, type Page } from '@playwright/test';
import { longestBlock } from '../../bench/longest-block.mjs';
import { tooSlow } from '../../scripts/test-reports.mjs';
import { expect } from './expect.ts';

/** Milliseconds of the main thread's own processor time that tests allow; the benchmark aims at 50. */
const maxStallMs = 100;

/**
 * Milliseconds of processor time that the reference work takes on a machine on which the tests' limits hold as they are.
 * Estimated, not measured: it took 12 to 17 on a machine on which unchanged code, which had kept the limits before,
 * exceeded them by up to 2.8 times.
 */
const referenceMs = 6;
const maxSlowness = 4;

/**
 * Expects that the page stays responsive while `work` is done, the first time that it is done: `npm test` counts no second
 * try. Do beforehand what may be slower once, such as the first load of a chunk.
 */
export async function expectNoStall(page: Page, work: () => Promise<void>): Promise<void> {
  const stall = await longestBlock(page, work);
  expectWithin(stall, maxStallMs, 'longest stall, milliseconds');
}

/** Expects that a time, in milliseconds, is within a limit, or within more of it on a machine that is slow. */
export function expectWithin(ms: number, max: number, what: string): void {
  if (ms <= max) return;
  const slowness = machineSlowness();
  const limit = max * slowness;
  if (ms > limit) test.info().annotations.push({ type: tooSlow, description: what });
  expect(ms, `${what}, on a machine ${slowness.toFixed(1)} times as slow`).toBeLessThanOrEqual(
    limit,
  );
}

/** How many times as long as usual this machine now takes for code that it runs for the first time; at least 1. */
function machineSlowness(): number {
  const times = Array.from({ length: 15 }, (_, n) => {
    // A new function each time: what the page does once is not compiled yet either.
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the text is from this file
    const work = new Function(referenceWork(n)) as () => void;
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  }).sort((a, b) => a - b);
  const median = times[7] ?? referenceMs;
  return Math.min(Math.max(median / referenceMs, 1), maxSlowness);
}

function referenceWork(n: number): string {
  return `
    const all = [];
    for (let i = 0; i < 20000; i++) all.push({ id: 'n' + ((i * 7919) % 60000), value: i + ${n} });
    all.sort((a, b) => (a.id < b.id ? -1 : 1));
    return JSON.stringify(all).length;`;
}
