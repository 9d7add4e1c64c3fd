/** Logged runs: names, pins, changed arguments, search, and runs side by side. */

import type { Page } from '@playwright/test';
import { violations } from '../support/axe.ts';
import { jsonArguments } from '../support/json-arguments.ts';
import { expect, test } from './support/shared-page.ts';

test.beforeAll(async ({ shared }) => {
  await shared.open({ 'results.py': 'def forecast(): ...\ndef cities(): ...\n' }, 'runs');
});
test.afterEach(({ page }) => page.setViewportSize({ width: 1280, height: 800 }));

async function run(page: Page, name: string, args: object): Promise<void> {
  await page.getByRole('group', { name: 'Tools by file' }).getByRole('link', { name }).click();
  const field = await jsonArguments(page);
  await field.fill(JSON.stringify(args));
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Result', exact: true })).toContainText('Success');
}

test('two runs are compared, and equal parts are folded', async ({ page }) => {
  await run(page, 'forecast', { fine: true });
  await run(page, 'forecast', { fine: false });
  await page.getByRole('link', { name: /^Runs/ }).last().click();
  const boxes = page.getByRole('checkbox', { name: /^Compare run of results:forecast/ });
  await boxes.nth(1).check();
  await expect(page.getByText('Choose another run to compare.')).toBeVisible();
  await boxes.nth(0).check();
  await page.getByRole('link', { name: 'Compare 2 runs' }).click();
  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { name: 'Compare runs' })).toBeVisible();
  const args = main.getByRole('group', { name: 'Arguments: differences' });
  await expect(args).toContainText(/fine\s*Run 1: true\s*Run 2: false/);
  const result = main.getByRole('group', { name: 'Result: differences' });
  await expect(result).toContainText(/days\/11\/low\s*Run 1: 1\.0\s*Run 2: "cold"/);
  await expect(result).toContainText(/days\/11\/high\s*Run 1: 2\.0\s*Run 2: missing/);
  await result.getByRole('button', { name: '11 equal values' }).click();
  await expect(result.getByText('{"low": 1.0, "high": 2.0}').first()).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 800 });
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth > window.innerWidth,
  );
  expect(overflow).toBe(false);
  // The comparison has an address.
  await page.reload();
  await expect(main).toContainText('2 differences');
});

test('a run is named, pinned, found by its name, and changed before it runs again', async ({
  page,
}) => {
  // Without the drawer, which the page may have kept open.
  await page.goto('./#/');
  await run(page, 'cities', { n: 1 });
  await run(page, 'cities', { n: 2 });
  await page.getByRole('link', { name: /^Runs/ }).last().click();
  await page
    .getByRole('link', { name: /results:cities \{"n":1\}/ })
    .first()
    .click();
  const main = page.getByRole('main');
  await main.getByRole('textbox', { name: 'Name' }).fill('Baseline');
  await main.getByRole('textbox', { name: 'Name' }).press('Tab');
  await main.getByRole('button', { name: 'Pin', exact: true }).click();
  await expect(main.getByRole('button', { name: 'Pin', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  expect(await violations(page)).toEqual([]);
  await main.getByRole('button', { name: 'Edit arguments' }).click();
  await expect(page.getByRole('heading', { name: 'results:cities' })).toBeVisible();
  expect(await (await jsonArguments(page)).inputValue()).toBe('{"n":1}');

  // The pinned run is the first one in the list of the tool, also after a reload.
  await page.reload();
  await expect(main.getByRole('link', { name: /results:cities/ }).first()).toContainText(
    'Baseline',
  );

  const drawer = page.getByRole('region', { name: 'Drawer' });
  await drawer.getByRole('button', { name: 'Folder', exact: true }).click();
  await drawer.getByRole('searchbox', { name: 'Search runs' }).fill('baseline');
  await expect(drawer.getByRole('link', { name: /results:cities/ })).toHaveCount(1);
  await drawer.getByRole('button', { name: 'Clear search' }).click();
  await drawer.getByRole('button', { name: 'Clear', exact: true }).click();
  await expect(drawer).toContainText('Pinned ones stay.');
  await drawer.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(drawer.getByRole('link', { name: /results:/ })).toHaveText([/Baseline/]);
});
