/** Opening a tools folder from a zip file. */

import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { drop } from '../../bench/drop.mjs';
import { hello } from '../support/hello.ts';
import { makeZip } from '../support/make-zip.ts';
import {
  button,
  choose,
  folderMenu,
  helloZip,
  kept,
  openZip,
  zipFile,
} from '../support/opening.ts';
import { invoke, ready } from './support/app.ts';
import { expect, test } from './support/test.ts';

test.beforeEach(async ({ page }) => {
  await page.goto('./');
});

test('a chosen zip is opened, reopened from its copy, and chosen anew', async ({ page }) => {
  await openZip(page, 'any.zip', helloZip);
  await ready(page, 'greetings');
  expect((await invoke(page, 'greet:hello')).textResultForLlm).toBe('{"hello": "world"}');
  await expect(page.getByText('copy from')).toHaveCount(0);
  await kept(page, 1);
  await page.reload();
  await ready(page, 'greetings');
  const today = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' }).format(Date.now());
  await expect(page.getByText(`copy from ${today}, `).first()).toBeVisible();
  expect((await invoke(page, 'greet:hello')).textResultForLlm).toBe('{"hello": "world"}');
  const changed = makeZip([
    { name: 'greetings/greet.py', content: hello.replace('world', 'again') },
  ]);
  await choose(page, 'Refresh', zipFile('any.zip', changed));
  await expect(page.getByText('copy from')).toHaveCount(0);
  // The earlier folder, which has the same name, may still be open.
  await expect
    .poll(async () => (await invoke(page, 'greet:hello')).textResultForLlm)
    .toBe('{"hello": "again"}');
  await expect.poll(() => keptTexts(page)).toContain('"hello": "again"');
  await kept(page, 1);
  await page.reload();
  await ready(page, 'greetings');
  expect((await invoke(page, 'greet:hello')).textResultForLlm).toBe('{"hello": "again"}');
  await folderMenu(page).click();
  await expect(
    page.getByRole('list', { name: 'Recent folders' }).getByRole('listitem'),
  ).toHaveCount(1);
});

/** All that is kept of folders, as one text. */
function keptTexts(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const texts = async (folder: FileSystemDirectoryHandle): Promise<string> => {
      let text = '';
      for await (const child of folder.values())
        text += child.kind === 'file' ? await (await child.getFile()).text() : await texts(child);
      return text;
    };
    const root = await navigator.storage.getDirectory();
    // A file that is being written is not there for a moment.
    return texts(await root.getDirectoryHandle('cloche')).catch(() => '');
  });
}

test('a zip dropped anywhere is opened', async ({ page, folder }) => {
  const { path } = await folder({ 'dropped.zip': helloZip });
  await drop(page, join(path, 'dropped.zip'));
  await ready(page, 'greetings');
});

test('a zip that cannot be taken is refused with the reason, and what is open stays', async ({
  page,
}) => {
  await openZip(page, 'any.zip', helloZip);
  await ready(page, 'greetings');
  const many = Array.from({ length: 100_000 }, (_, index) => ({ name: `${index}.py`, method: 0 }));
  const refusals: [string, Buffer, string][] = [
    ['many.zip', makeZip(many), '“many.zip” holds more than 20,000 entries.'],
    ['cut.zip', helloZip.subarray(0, -40), '“cut.zip” is not a zip file, or it is truncated.'],
    ['text.zip', Buffer.from('no zip'), '“text.zip” is not a zip file, or it is truncated.'],
  ];
  for (const [name, content, message] of refusals) {
    await page.locator('input[type=file]').nth(1).setInputFiles(zipFile(name, content));
    await expect(page.getByText(message)).toBeVisible();
    await button(page, 'Dismiss').click();
  }
  await ready(page, 'greetings');
});
