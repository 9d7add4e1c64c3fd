/** How long the page's main thread is kept from everything else: what a person feels as a page that hangs. */

import { expect, type Page } from '@playwright/test';
import { longestBlock } from '../../bench/longest-block.mjs';

/** Milliseconds that tests allow; the aim of 50 is for the benchmark. */
const mostStallMs = 100;
/** A stall that is ours comes every time; one that a shared machine adds does not. */
const attempts = 3;

/** Expects that the page stays responsive while `work` is done, which may be done more than once. */
export async function expectNoStall(page: Page, work: () => Promise<void>): Promise<void> {
  const seen: number[] = [];
  while (seen.length < attempts && (seen.at(-1) ?? Infinity) > mostStallMs)
    seen.push(await longestBlock(page, work));
  expect(Math.min(...seen), `stalls of ${seen.join(', ')} ms`).toBeLessThanOrEqual(mostStallMs);
}
