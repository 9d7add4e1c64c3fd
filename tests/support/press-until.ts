/** Presses a control that a guard may refuse because it has just appeared or moved: see `AllowGuard`. */

import type { Locator, Page } from '@playwright/test';
import { expect } from './expect.ts';

/**
 * Presses as soon as the control is enabled, and again if the guard has refused the press, because the control has moved
 * since. A plain click does not notice that, and checks again only after 0.2, 0.7 and 1.2 seconds.
 */
export async function press(control: Locator): Promise<void> {
  await expect(async () => {
    await expect.poll(() => control.isEnabled(), { timeout: 30_000, intervals: [50] }).toBe(true);
    const element = await control.elementHandle({ timeout: 2_000 });
    // The guard stops a click before listeners of the control itself.
    await element.evaluate((node) =>
      node.addEventListener('click', () => Reflect.set(node, 'isPressed', true), { once: true }),
    );
    await control.click({ timeout: 5_000 });
    // The page may be another one after the click.
    const isPressed = element.evaluate((node) => Reflect.get(node, 'isPressed') === true);
    expect(await isPressed.catch(() => true), 'the press was accepted').toBe(true);
  }).toPass({ timeout: 30_000, intervals: [50] });
}

/** Presses once, and waits until the page shows `outcome`. */
export async function pressUntil(control: Locator, outcome: Locator): Promise<void> {
  await press(control);
  await expect(outcome).toBeVisible();
}

/** Runs the plan in the editor. Its button moves while the problems of the plan are shown. */
export function runPlan(page: Page): Promise<void> {
  const begun = page.getByRole('group', { name: 'Actions on the run' });
  return pressUntil(page.getByRole('button', { name: 'Run plan' }), begun);
}
