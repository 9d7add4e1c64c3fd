/** Links that carry a tool, its arguments and its files. */

import { zipSync, strToU8 } from 'fflate';
import { shareLink, type Shared } from '../../src/app/ui/tools/share/share-link.ts';
import { jsonArguments } from '../support/json-arguments.ts';
import { expect, test } from './support/test.ts';

const zip = new Uint8Array(zipSync({ 'half.py': strToU8('def fine(n): ...  # half\n') }));
const shared: Shared = { folder: 'halves', tool: 'half:fine', arguments: '{"n": 41.0}', zip };

test.beforeEach(async ({ page }) => {
  await page.goto('./');
});

test('a link shows files and arguments, and opens them without running anything', async ({
  page,
}) => {
  await page.goto(shareLink(page.url().replace(/#.*/, ''), shared));
  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { name: 'A tool from a link' })).toBeVisible();
  await expect(main).toContainText('half:fine');
  await expect(main).toContainText('41.0');
  await main.getByText('half.py').click();
  await expect(main.getByText('# half')).toBeVisible();
  expect(await page.evaluate(() => globalThis.cloche.status.get().phase)).toBe('none');

  const open = page.getByRole('button', { name: 'Open these files' });
  await expect(open).not.toHaveAttribute('aria-disabled', 'true');
  await open.click();
  await expect(page.getByRole('heading', { name: 'half:fine' })).toBeVisible();
  await expect(await jsonArguments(page)).toHaveValue('{"n": 41.0}');
  await expect(page.getByText('to see what it returns')).toBeVisible();

  // A second link, without files, finds the tool in the open folder.
  const link = { ...shared, arguments: '{"n": 7}', zip: null };
  await page.goto(shareLink(page.url().replace(/#.*/, ''), link));
  await page.getByRole('button', { name: 'Show the tool with these arguments' }).click();
  await expect(await jsonArguments(page)).toHaveValue('{"n": 7}');
  await expect(page.getByText('to see what it returns')).toBeVisible();
});

test('arguments that were not run are replaced by those of a link, and can be brought back', async ({
  page,
}) => {
  const link = (args: string, files: Uint8Array<ArrayBuffer> | null) =>
    shareLink(page.url().replace(/#.*/, ''), { ...shared, arguments: args, zip: files });
  await page.goto(link('{"n": 41.0}', zip));
  const open = page.getByRole('button', { name: 'Open these files' });
  await expect(open).not.toHaveAttribute('aria-disabled', 'true');
  await open.click();
  await (await jsonArguments(page)).fill('{"n": 1, "mine');
  await page.goto(link('{"n": 7}', null));
  await page.getByRole('button', { name: 'Show the tool with these arguments' }).click();
  await expect(await jsonArguments(page)).toHaveValue('{"n": 7}');
  await page.getByRole('button', { name: 'Bring mine back' }).click();
  await expect(await jsonArguments(page)).toHaveValue('{"n": 1, "mine');
  // The other ones are not lost either.
  await page.getByRole('button', { name: 'Bring mine back' }).click();
  await expect(await jsonArguments(page)).toHaveValue('{"n": 7}');
});

test('a link that is damaged, or whose folder is not open, says what to do', async ({ page }) => {
  const base = page.url().replace(/#.*/, '');
  await page.goto(`${base}#/open?tool=a:b&zip=%25%25`);
  await expect(page.getByText('It was cut off, or its files are damaged.')).toBeVisible();
  await page.goto(shareLink(base, { ...shared, zip: new Uint8Array(40) }));
  await expect(page.getByText(/not a zip file|damaged/)).toBeVisible();
  await page.goto(shareLink(base, { ...shared, zip: null }));
  await expect(page.getByText('The link contains no files, and no folder is open.')).toBeVisible();
  await expect(page.getByRole('main').getByRole('button', { name: 'Open zip' })).toBeVisible();
});
