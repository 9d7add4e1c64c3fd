/** Dialogs: their buttons stay in view, however little room there is. */

import { button } from '../support/opening.ts';
import { expect, test } from './support/test.ts';

test('the buttons of a dialog stay in view while its content scrolls', async ({ page }) => {
  await page.goto('./');
  await button(page, 'More ways to begin').click();
  await button(page, 'Paste a Python function').click();
  const dialog = page.getByRole('dialog', { name: 'Paste a function' });
  const create = dialog.getByRole('button', { name: /^(Create file|Preview tools)$/ });
  for (const [width, height] of [
    [390, 844],
    [390, 360],
    [844, 390],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect(create).toBeInViewport({ ratio: 1 });
  }
  const body = dialog.locator('.dialog-body');
  const rest = await body.evaluate((scrolled) => {
    scrolled.scrollTop = scrolled.scrollHeight;
    return scrolled.scrollHeight - scrolled.clientHeight;
  });
  // Positive control: not everything fits.
  expect(rest).toBeGreaterThan(50);
  await expect(create).toBeInViewport({ ratio: 1 });
  await expect(dialog.getByText(/stored in a new folder/)).toBeInViewport();
});
