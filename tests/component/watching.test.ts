/** Folders that the browser does not watch; tests/watching.test.ts has those that it does, with real Python. */

import { hello } from '../support/hello.ts';
import { invoke, openFolder, ready } from './support/app.ts';
import { expect, test } from './support/test.ts';

test('where the browser does not report changes, the page looks for them; a copy is not watched', async ({
  page,
  folder,
}) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(globalThis, 'FileSystemObserver');
  });
  await page.goto('./');
  const { path, write } = await folder({ 'greet.py': hello }, 'polled');
  await openFolder(page, path);
  await expect(page.getByText(/Checking the folder every \d+ s/)).toBeVisible();
  // Only a page that can be seen looks.
  await page.bringToFront();
  expect(await page.evaluate(() => document.visibilityState)).toBe('visible');
  await write({ 'greet.py': hello.replace('world', 'anew') });
  const text = async (): Promise<string> => (await invoke(page, 'greet:hello')).textResultForLlm;
  await expect.poll(text).toBe('{"hello": "anew"}');
  await page.evaluate(() => {
    globalThis.cloche.folder.close();
  });
  await page.locator('input[type=file]').first().setInputFiles(path);
  await ready(page, 'polled');
  await expect(page.getByText('Folder not watched')).toBeVisible();
});
