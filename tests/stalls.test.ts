/** That a page which stalls is noticed: the control of every test that expects it not to. */

import type { Page } from '@playwright/test';
import { tooSlow } from '../scripts/test-reports.mjs';
import { expectNoStall } from './support/stalls.ts';
import { expect, test } from './support/test.ts';

test.beforeEach(async ({ page }) => {
  // A page that does nothing.
  await page.goto('./license.txt');
});

test('a page that is blocked for 500 ms stalls, and is not forgiven at a second try', async ({
  page,
}) => {
  // More than the slowest machine is allowed.
  await expect(expectNoStall(page, () => block(page, 500))).rejects.toThrow(
    'longest stall, milliseconds',
  );
  expect(test.info().annotations.map(({ type }) => type)).toContain(tooSlow);
});

test('an idle page does not stall', async ({ page }) => {
  await expectNoStall(page, () => block(page, 0));
});

/** @param ms of processor time, which a busy machine gives out over a longer time */
function block(page: Page, ms: number): Promise<void> {
  return page.evaluate((wanted) => {
    if (wanted === 0) return;
    const piece = (): number => {
      const start = performance.now();
      for (let n = 0; n < 100_000; n += 1) JSON.stringify(n);
      return performance.now() - start;
    };
    // The quickest piece was not interrupted.
    const pieceMs = Math.min(...Array.from({ length: 20 }, piece));
    for (let spent = 0; spent < wanted; spent += pieceMs) piece();
  }, ms);
}
