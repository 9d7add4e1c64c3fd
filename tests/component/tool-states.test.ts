/** Tools that are not loaded, filters of the list, and results that are not current. */

import { jsonArguments } from '../support/json-arguments.ts';
import { expect, test } from './support/shared-page.ts';

test.beforeAll(async ({ shared }) => {
  await shared.open({ 'half.py': 'def fine(n): ...\n', 'broken.py': 'def (\n' }, 'states');
});

test('a tool with an error stays in the list, and its page shows what to fix', async ({ page }) => {
  const list = page.getByRole('group', { name: 'Tools by file' });
  await list.getByRole('link', { name: /^torn not loaded: half:torn has an unknown key/ }).click();
  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { name: 'half:torn' })).toBeVisible();
  await expect(main.getByText('has an unknown key "descripton"').first()).toBeVisible();
  await expect(main.getByRole('link', { name: /half\.py:4/ })).toBeVisible();
  await expect(page.getByText('1 not loaded')).toBeVisible();
  await page.goto('./#/');
  // Warnings do not make the number of errors larger.
  const counts = main.locator('dl > div').filter({ hasText: /error|warning/ });
  await expect(counts).toHaveText([/^2\s*errors$/, /^1\s*warning$/]);
  await expect(page.getByRole('navigation', { name: 'Drawer', exact: true })).toContainText(
    /2 errors, 1 warning/,
  );
});

test('a filter shows tools by state, and says where it hides the open one', async ({ page }) => {
  const list = page.getByRole('group', { name: 'Tools by file' });
  await list.getByRole('link', { name: 'fine', exact: true }).click();
  const filter = page.getByRole('combobox', { name: 'Show tools' });
  await filter.selectOption('Warnings');
  await expect(list.getByRole('link')).toHaveText([/half\.py/, /fine/]);
  await filter.selectOption('Errors');
  await expect(list.getByRole('link')).toHaveText([/broken\.py/, /half\.py/, /torn/]);
  await expect(page.getByText('half:fine is open, but filtered out.')).toBeVisible();
  await page.getByRole('button', { name: 'Show all tools' }).click();
  await expect(filter).toHaveValue('all');
  await expect(list.getByRole('link', { name: 'fine', exact: true })).toBeVisible();
});

test('warnings of a rule can be hidden in the folder, and shown again', async ({ page }) => {
  const drawer = page.getByRole('navigation', { name: 'Drawer', exact: true });
  await drawer.getByRole('link', { name: /1 warning/ }).click();
  await page.getByText('half:fine has no label.').first().click();
  await page.getByRole('button', { name: 'Hide these warnings in this folder' }).click();
  await expect(drawer).not.toContainText('warning');
  await page.reload();
  await expect(drawer).toContainText('2 errors');
  await expect(drawer).not.toContainText('warning');
  await page.getByRole('button', { name: 'Show again' }).click();
  await expect(drawer).toContainText('1 warning');
  await page.getByRole('link', { name: 'Close drawer' }).click();
});

test('a result is marked once its arguments have changed, and is still there after a reload', async ({
  page,
}) => {
  await page.getByRole('link', { name: 'fine', exact: true }).click();
  const field = await jsonArguments(page);
  const result = page.getByRole('region', { name: 'Result' });
  await field.fill('{"n": 41}');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(result.getByText('42', { exact: true })).toBeVisible();
  await expect(result).not.toContainText('changed since this run');
  await field.fill('{"n": 1}');
  await expect(result).toContainText('The arguments have changed since this run.');
  await field.fill('{ "n": 41 }');
  await expect(result).not.toContainText('changed since this run');

  await page.reload();
  await expect(result).toContainText('Your last run, just now');
  await expect(result.getByText('42', { exact: true })).toBeVisible();
  await page.getByRole('link', { name: /^Runs/ }).click();
  await expect(page.getByRole('link', { name: /half:fine/ }).last()).toContainText('{"n": 41}');
});
