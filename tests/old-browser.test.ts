/** The page tells users of a browser that is too old, and starts nothing. */

import { expect, test } from './support/test.ts';

test('a browser that lacks a needed feature gets a sentence instead of a broken page', async ({
  page,
}) => {
  await page.addInitScript(() => Reflect.deleteProperty(URL, 'parse'));
  // The page stops before it has loaded.
  await page.goto('./', { waitUntil: 'commit' });
  await expect(
    page.getByText(/^This browser is too old for Cloche, which needs Chromium \d/),
  ).toBeVisible();
  expect(await page.evaluate(() => 'cloche' in window)).toBe(false);
  await expect(page.getByRole('button')).toHaveCount(0);
});
