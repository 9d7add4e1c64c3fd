/** What Python returns and streams is shown as what it is, through the real loader and sandbox. */

import { openFolder } from './support/app.ts';
import { resultsSource } from './support/results-tools.ts';
import { expect, test } from './support/test.ts';

test('HTML, a data frame that breaks its spec, and progress', async ({ page, folder }) => {
  await page.goto('./');
  await openFolder(page, (await folder({ 'shown.py': resultsSource })).path);
  const list = page.getByRole('group', { name: 'Tools by file' });
  const result = page.getByRole('region', { name: 'Result' });
  const run = async (name: string): Promise<void> => {
    await list.getByRole('link', { name }).click();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
  };
  await run('report');
  await expect(result.locator('iframe').contentFrame().getByText('cell')).toBeVisible();
  expect(await page.evaluate(() => 'taken' in window)).toBe(false);

  await run('frame');
  await expect(result.locator('.place')).toHaveText(/\$\[1\]\.low\s+must be a number, but is null/);
  await result.getByRole('button', { name: 'Table', exact: true }).click();
  await expect(result.getByRole('row')).toHaveText([/city\s*low/, /Oslo\s*1\.0/, /Rome\s*null/]);

  await run('steps');
  await expect(result.getByRole('progressbar')).toHaveJSProperty('value', 3);
  await expect(list.getByRole('link', { name: 'steps' })).toContainText('3 of 4');
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(result).toContainText('Cancelled');
});
