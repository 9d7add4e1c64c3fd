/** What a user does who has a keyboard alone. */

import type { Locator, Page } from '@playwright/test';
import { expect } from './expect.ts';

/** More stops than any screen has between two controls. */
const maxStops = 80;

/** Presses Tab until the control has the focus. */
export async function tabTo(page: Page, control: Locator): Promise<void> {
  await expect(control).toBeVisible();
  for (let stop = 0; stop < maxStops; stop += 1) {
    if (await control.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${String(control)}.`);
}

/** Presses Enter until something follows, because a button that allows something waits for half a second. */
export async function enter(page: Page, follows: () => Promise<void>): Promise<void> {
  await expect(async () => {
    await page.keyboard.press('Enter');
    await follows();
  }).toPass();
}
