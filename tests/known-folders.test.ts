/** A folder on disk on the next visit; tests/component/known-folders.test.ts has the rest about recent folders. */

import { drop } from '../bench/drop.mjs';
import { invoke, openFolder } from './support/app.ts';
import { hello } from './support/hello.ts';
import { button, folderMenu, ready } from './support/opening.ts';
import { expect, test } from './support/test.ts';

test('a folder on disk is reopened as it is then', async ({ page, folder }) => {
  await page.goto('./');
  const { path, write } = await folder({ 'greet.py': hello }, 'on-disk');
  await openFolder(page, path);
  await write({ 'greet.py': hello.replace('world', 'reader') });
  await page.reload();
  await ready(page, 'on-disk');
  expect((await invoke(page, 'greet:hello')).textResultForLlm).toBe('{"hello": "reader"}');
  await expect(page.getByText('copy from')).toHaveCount(0);
  await drop(page, path);
  await ready(page, 'on-disk');
  await folderMenu(page).click();
  await expect(button(page, /^Remove on-disk/)).toHaveCount(1);
});
