/** docs/decisions/attacks.md row 35: names of downloads, as the browser receives them. */

import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { openFolder } from '../support/app.ts';
import { expect, test } from '../support/test.ts';
import { onDisk, openWithWorkspace } from '../support/workspace.ts';

async function nameOf(page: Page, press: () => Promise<void>): Promise<string> {
  const downloading = page.waitForEvent('download');
  await press();
  return (await downloading).suggestedFilename();
}

const row35 = 'row 35: a media type or a name does not make a program of a download';

test(row35, async ({ page, folder }) => {
  const { path } = await folder({
    'returned.py': await readFile(new URL('returned.py', import.meta.url), 'utf8'),
  });
  await page.goto('./');
  await openFolder(page, path);
  await page.evaluate(() => (location.hash = '#/tools/returned:com1.exe'));
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const buttons = page
    .getByRole('region', { name: 'Result' })
    .getByRole('button', { name: 'Download', exact: true });
  await expect(buttons).toHaveCount(8);
  const names: string[] = [];
  for (const button of await buttons.all()) names.push(await nameOf(page, () => button.click()));
  // The first two are the control.
  const endings = ['png', 'csv', ...Array<string>(6).fill('bin')];
  expect(names.map((name) => name.replace(/^[\w-]+\./, ''))).toEqual(endings);
});

test(
  'row 35: a folder with a name that reverses text gives its downloads a plain one',
  { tag: '@full' },
  async ({ page, folder }) => {
    await openWithWorkspace(page, folder, { name: 'invoice\u202efdp.exe' });
    await onDisk(page, { 'a.txt': 'a' });
    await page.getByRole('button', { name: 'Reload files' }).click();
    const button = page.getByRole('button', { name: 'Download as zip' });
    expect(await nameOf(page, () => button.click())).toBe('invoice-fdp-exe-workspace.zip');
  },
);
