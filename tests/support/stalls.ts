/** Measures how long the page's main thread is busy without a pause, which users notice as a page that hangs. */

import type { Page } from '@playwright/test';
import { longestBlock } from '../../bench/longest-block.mjs';
import { expect } from './expect.ts';

/** Milliseconds of the main thread's own processor time that tests allow; the benchmark aims at 50. */
const maxStallMs = 100;

/**
 * Expects that the page stays responsive while `work` is done, the first time that it is done. What is legitimately
 * slower once, such as the first load of a chunk, must be done before.
 */
export async function expectNoStall(page: Page, work: () => Promise<void>): Promise<void> {
  const stall = await longestBlock(page, work);
  expect(stall, 'longest stall, milliseconds').toBeLessThanOrEqual(maxStallMs);
}
