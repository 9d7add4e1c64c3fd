/** The help inside the app: its pages, links and search, also on a phone and in dark mode. */

import { violations } from '../support/axe.ts';
import { expect, test } from './support/test.ts';

test('help is found from the header, searched, and followed from link to link', async ({
  page,
}) => {
  await page.goto('./');
  await page.getByRole('link', { name: 'Help' }).click();
  await expect(page.getByRole('heading', { name: 'A tour of Cloche' })).toBeVisible();
  await expect(page).toHaveTitle(/Help/);
  expect(await violations(page)).toEqual([]);

  const search = page.getByRole('searchbox', { name: 'Search help' });
  await search.fill('prompt_guides');
  await expect(page.getByRole('status').filter({ hasText: /Found \d+/ })).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('article').getByRole('link', { name: 'Optional keys', exact: true }).click();
  const heading = page.getByRole('heading', { name: 'Optional keys', exact: true });
  await expect(heading).toBeInViewport();
  await expect(page).toHaveURL(/#\/help\/tool-files\/optional-keys$/);
  await expect(search).toHaveValue('');
  await search.fill('xyzzy plugh');
  await expect(page.getByText('Nothing was found')).toBeVisible();

  await page.goto('./#/help/tests');
  await page.getByRole('link', { name: 'GET api/tests' }).click();
  await expect(page.getByRole('heading', { name: 'Tests', exact: true })).toBeInViewport();
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Under ordinary Python' })).toBeVisible();
});

test('help fits a phone, in dark mode', { tag: '@full' }, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('./#/help/tool-files');
  await expect(page.getByRole('heading', { name: 'Optional keys', exact: true })).toBeVisible();
  expect(
    await page.evaluate(
      () => document.documentElement.scrollWidth <= document.documentElement.clientWidth,
    ),
  ).toBe(true);
  expect(await violations(page)).toEqual([]);
});

test('every page of the help is shown, and fits a phone', { tag: '@full' }, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto('./#/help');
  const links = page.getByRole('navigation', { name: 'Help pages' }).getByRole('link');
  await expect(links.first()).toBeVisible();
  const titles = await links.allInnerTexts();
  expect(titles.length).toBeGreaterThan(20);
  for (const title of titles) {
    await links.filter({ hasText: new RegExp(`^${title}$`) }).click();
    const heading = page.getByRole('article').getByRole('heading', { level: 2 }).first();
    await expect(heading).toHaveText(title);
    const sideways = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect([title, sideways]).toEqual([title, 0]);
  }
});
