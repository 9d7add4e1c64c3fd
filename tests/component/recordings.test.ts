/** Where recordings are listed and started; tests/sessions/recordings.test.ts plays them with real Python. */

import { expect, test } from './support/test.ts';

test(
  'on a phone with a session, recordings are below the list and in the palette',
  { tag: '@full' },
  async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('./#/sessions');
    await page
      .getByRole('button', { name: /open samples/i })
      .first()
      .click();
    const plays = page.getByRole('button', { name: /^Play.*recover from an error/ });
    await plays.first().click();
    await expect(page.getByText(/the recording has ended/i)).toBeVisible({ timeout: 30_000 });
    await page.goto('./#/sessions');
    await expect(
      page.getByRole('group', { name: 'Sessions, newest first' }).getByRole('link'),
    ).toHaveText(/recover from an error.*played/);
    await page.getByText(/^Recordings \(\d\)$/).click();
    await expect(plays).toBeVisible();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('play error');
    await page.keyboard.press('Enter');
    await expect(page.getByText(/messages are scripted/)).toBeVisible();
  },
);
