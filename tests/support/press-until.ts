/** Presses a control that a guard may refuse because it has just appeared or moved: see `AllowGuard`. */

import { expect, type Locator } from '@playwright/test';

/** Presses, again if nothing happens, until the page shows `outcome`. */
export async function pressUntil(control: Locator, outcome: Locator): Promise<void> {
  await expect(async () => {
    // The last press may have worked after all, only later.
    if (!(await outcome.isVisible())) await control.click({ timeout: 2_000 });
    await expect(outcome).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: 30_000 });
}
