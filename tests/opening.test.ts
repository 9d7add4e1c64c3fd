/** The ways into a tools folder, and back into it at the next visit. */

import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { drop } from '../bench/drop.mjs';
import { invoke, listing, openFolder } from './support/app.ts';
import { hello } from './support/hello.ts';
import { makeZip, packedZeros, type ZipEntry } from './support/make-zip.ts';
import { expectNoStall } from './support/stalls.ts';
import { expect, test } from './support/test.ts';

const python = { timeout: 90_000 };
const helloZip = makeZip([
  { name: 'greetings/greet.py', content: hello },
  { name: 'greetings/data/names.txt', content: 'Ada' },
]);

async function ready(page: Page, folder: string): Promise<void> {
  await expect.poll(() => listing(page), python).toMatchObject({ state: 'ready', folder });
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const folderMenu = (page: Page) => button(page, /^Folder /);

async function choose(page: Page, way: string, files: string | ZipFile): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  await button(page, way).first().click();
  await (await choosing).setFiles(files);
}

interface ZipFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

function zipFile(name: string, content: Buffer): ZipFile {
  return { name, mimeType: 'application/zip', buffer: content };
}

function openZip(page: Page, name: string, entries: readonly ZipEntry[] | Buffer): Promise<void> {
  const content = Buffer.isBuffer(entries) ? entries : makeZip(entries);
  return choose(page, 'Open zip', zipFile(name, content));
}

/** Waits until the copy of the open folder is kept. */
async function kept(page: Page, copies: number): Promise<void> {
  const count = (): Promise<number> =>
    page.evaluate(async () => {
      const root = await navigator.storage.getDirectory();
      let found = 0;
      try {
        const ours = await root.getDirectoryHandle('cloche');
        for await (const base of ours.values())
          if (base.kind === 'directory')
            for await (const copy of base.values())
              if (copy.kind === 'directory')
                for await (const file of copy.keys()) found += file === 'manifest.json' ? 1 : 0;
      } catch {
        // Nothing was kept yet.
      }
      return found;
    });
  await expect.poll(count, { timeout: 30_000 }).toBe(copies);
}

test.beforeEach(async ({ page }) => {
  await page.goto('./');
  await page.evaluate(() => navigator.serviceWorker.ready);
});

test('a chosen zip is opened, reopened from its copy, and chosen anew', async ({ page }) => {
  await openZip(page, 'any.zip', helloZip);
  await ready(page, 'greetings');
  expect((await invoke(page, 'greet:hello')).textResultForLlm).toBe('{"hello": "world"}');
  await expect(page.getByText(/^A copy from/)).toHaveCount(0);
  await kept(page, 1);
  await page.reload();
  await ready(page, 'greetings');
  const today = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' }).format(Date.now());
  await expect(page.getByText(`A copy from ${today}, `).first()).toBeVisible();
  expect((await invoke(page, 'greet:hello')).textResultForLlm).toBe('{"hello": "world"}');
  const changed = makeZip([
    { name: 'greetings/greet.py', content: hello.replace('world', 'again') },
  ]);
  await choose(page, 'Refresh', zipFile('any.zip', changed));
  await expect(page.getByText(/^A copy from/)).toHaveCount(0);
  await ready(page, 'greetings');
  expect((await invoke(page, 'greet:hello')).textResultForLlm).toBe('{"hello": "again"}');
  await page.reload();
  await ready(page, 'greetings');
  expect((await invoke(page, 'greet:hello')).textResultForLlm).toBe('{"hello": "again"}');
  await kept(page, 1);
  await folderMenu(page).click();
  await expect(page.getByRole('list', { name: 'Known folders' }).getByRole('listitem')).toHaveCount(
    1,
  );
});

test('a zip dropped anywhere is opened', async ({ page, folder }) => {
  const { path } = await folder({ 'dropped.zip': helloZip });
  await drop(page, join(path, 'dropped.zip'));
  await ready(page, 'greetings');
});

test('of a hostile zip the good part is opened, and the page does not stall', async ({
  page,
  folder,
}) => {
  const bomb = packedZeros(1024);
  const zip = makeZip([
    { name: '../up.py', content: hello },
    { name: '/etc/cron.py', content: hello },
    { name: 'C:\\x.py', content: hello },
    { name: 'bomb.bin', packed: bomb, claims: { bytes: 2 ** 30 } },
    { name: 'liar.bin', packed: bomb, claims: { bytes: 45 * 2 ** 20 } },
    { name: 'secret.py', content: hello, flags: 0x8_01 },
    { name: 'link.py', content: '/etc/passwd', mode: 0o120777, method: 0 },
    { name: 'odd.py', content: hello, method: 93 },
    { name: 'greet.py', content: hello },
    { name: 'greet.py', content: 'twice' },
    ...Array.from({ length: 2_000 }, (_, index) => ({
      name: `data/${index}.txt`,
      content: 'text '.repeat(2_000),
    })),
  ]);
  // From disk: handing over its bytes would itself keep the page busy.
  const made = await folder({ 'hostile.zip': zip });
  const path = join(made.path, 'hostile.zip');
  await expectNoStall(page, async () => {
    await choose(page, 'Open zip', path);
    await expect(page.getByRole('heading', { name: 'hostile' })).toBeVisible();
    await ready(page, 'hostile');
    await button(page, 'Close folder').click();
  });
  await choose(page, 'Open zip', path);
  await ready(page, 'hostile');
  const { tools, problems } = await listing(page);
  expect(tools.map(({ name }) => name)).toEqual(['greet:hello']);
  expect(problems.map(({ code, file }) => `${code} ${file}`).sort()).toEqual([
    'bad-path ../up.py',
    'bad-path /etc/cron.py',
    'bad-path C:\\x.py',
    'file-too-large bomb.bin',
    'same-path greet.py',
    'unreadable link.py',
    'unreadable liar.bin',
    'unreadable odd.py',
    'unreadable secret.py',
  ]);
  const said = (file: string): string => problems.find((one) => one.file === file)?.message ?? '';
  expect(said('liar.bin')).toContain('its content is larger than the zip file says');
  expect(said('odd.py')).toContain('Zstandard (method 93)');
  expect(said('secret.py')).toContain('it is encrypted');
});

test('a zip that cannot be taken is refused with the reason, and what is open stays', async ({
  page,
}) => {
  await openZip(page, 'any.zip', helloZip);
  await ready(page, 'greetings');
  const many = Array.from({ length: 100_000 }, (_, index) => ({ name: `${index}.py`, method: 0 }));
  const refusals: [string, Buffer, string][] = [
    ['many.zip', makeZip(many), '“many.zip” holds more than 20,000 entries.'],
    ['cut.zip', helloZip.subarray(0, -40), '“cut.zip” is no zip file, or its end is missing.'],
    ['text.zip', Buffer.from('no zip'), '“text.zip” is no zip file, or its end is missing.'],
  ];
  for (const [name, content, message] of refusals) {
    await page.locator('input[type=file]').nth(1).setInputFiles(zipFile(name, content));
    await expect(page.getByText(message)).toBeVisible();
    await button(page, 'Dismiss').click();
  }
  expect(await listing(page)).toMatchObject({ state: 'ready', folder: 'greetings' });
});

test('the samples are one click away, and are there again after a reload', async ({ page }) => {
  await button(page, 'Open samples').click();
  await expect(page.getByRole('heading', { name: 'samples' })).toBeVisible({ timeout: 3_000 });
  await ready(page, 'samples');
  const { tools, problems } = await listing(page);
  expect([tools.length > 24, problems]).toEqual([true, []]);
  await page.getByRole('link', { name: 'split_bill', exact: true }).first().click();
  await button(page, 'Run').first().click();
  await expect(page.getByRole('region', { name: 'Result' }).getByText(/total/).first()).toBeVisible(
    python,
  );
  await page.goto('./');
  await ready(page, 'samples');
  await button(page, 'Refresh').click();
  await ready(page, 'samples');
});

test('a folder on disk is reopened as it is then', async ({ page, folder }) => {
  const { path, write } = await folder({ 'greet.py': hello }, 'on-disk');
  await openFolder(page, path);
  await write({ 'greet.py': hello.replace('world', 'reader') });
  await page.reload();
  await ready(page, 'on-disk');
  expect((await invoke(page, 'greet:hello')).textResultForLlm).toBe('{"hello": "reader"}');
  await expect(page.getByText(/^A copy from/)).toHaveCount(0);
  await drop(page, path);
  await ready(page, 'on-disk');
  await folderMenu(page).click();
  await expect(button(page, /^Remove on-disk/)).toHaveCount(1);
});

test('a folder that is gone is told, and stays on the list', async ({ page, folder }) => {
  const made = await folder({ 'greet.py': hello }, 'moved');
  await openFolder(page, made.path);
  await made.dispose();
  await page.reload();
  await expect(page.getByText(/The folder “moved” could not be read/).first()).toBeVisible();
  await expect(page.getByText(/may have been moved/).first()).toBeVisible();
  await expect(button(page, /^Remove moved/)).toBeVisible();
});

test('one whose permission has ended is one click away', async ({ page, folder }) => {
  await page.addInitScript(() => {
    const state = { granted: false };
    Object.assign(FileSystemHandle.prototype, {
      queryPermission: () => Promise.resolve(state.granted ? 'granted' : 'prompt'),
      requestPermission: () => {
        state.granted = navigator.userActivation.isActive;
        return Promise.resolve(state.granted ? 'granted' : 'denied');
      },
    });
  });
  const { path } = await folder({ 'greet.py': hello }, 'asked-for');
  await openFolder(page, path);
  await page.reload();
  await button(page, 'Reopen asked-for').click();
  await ready(page, 'asked-for');
});

test('an upload is reopened from its copy, and Refresh asks for the folder', async ({
  page,
  folder,
}) => {
  const files = { 'greet.py': hello, 'sub/data.bin': new Uint8Array(3_000_000).fill(7) };
  const { path, write } = await folder(files, 'uploaded');
  await choose(page, 'Upload folder', path);
  await ready(page, 'uploaded');
  await kept(page, 1);
  await page.reload();
  await ready(page, 'uploaded');
  await expect(page.getByText(/^A copy from/).first()).toBeVisible();
  const size = await page.evaluate(() =>
    globalThis.cloche.folder?.snapshot.files.map(({ path: name, size: bytes }) => [name, bytes]),
  );
  expect(size).toContainEqual(['sub/data.bin', 3_000_000]);
  await write({ 'greet.py': hello.replace('world', 'anew') });
  await choose(page, 'Refresh', path);
  await expect(page.getByText(/^A copy from/)).toHaveCount(0);
  await ready(page, 'uploaded');
  expect((await invoke(page, 'greet:hello')).textResultForLlm).toBe('{"hello": "anew"}');
});

test('where storage is full, the folder is open and the lack of a copy is said', async ({
  page,
  folder,
  baseURL,
}) => {
  const client = await page.context().newCDPSession(page);
  await client.send('Storage.overrideQuotaForOrigin', {
    origin: new URL(baseURL ?? '').origin,
    quotaSize: 1_000_000,
  });
  const files = { 'greet.py': hello, 'big.bin': new Uint8Array(5_000_000).fill(7) };
  const { path } = await folder(files, 'large');
  await choose(page, 'Upload folder', path);
  await ready(page, 'large');
  await expect(page.getByText(/No copy of “large” was kept/)).toBeVisible();
  expect((await invoke(page, 'greet:hello')).textResultForLlm).toBe('{"hello": "world"}');
});

test('known folders are a menu away, by keyboard, and can be removed', async ({ page, folder }) => {
  const one = await folder({ 'greet.py': hello }, 'one');
  await openFolder(page, one.path);
  await page.locator('input[type=file]').nth(1).setInputFiles(zipFile('any.zip', helloZip));
  await ready(page, 'greetings');
  await kept(page, 1);
  await folderMenu(page).focus();
  await page.keyboard.press('Enter');
  await expect(button(page, /^greetings/)).toBeFocused();
  await expect(button(page, /^greetings/)).toHaveAttribute('aria-current', 'true');
  await page.keyboard.press('Escape');
  await expect(folderMenu(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(button(page, /^one/)).toBeFocused();
  await page.keyboard.press('Enter');
  await ready(page, 'one');
  await expect(folderMenu(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await button(page, 'Remove greetings from the list').click();
  await expect(page.getByText(/Its copy in this browser is deleted/)).toBeVisible();
  await expect(button(page, 'Keep')).toBeFocused();
  await button(page, 'Remove').first().click();
  await expect(button(page, /^Remove greetings/)).toHaveCount(0);
  await kept(page, 0);
  await page.keyboard.press('Escape');
  await button(page, 'Close folder').click();
  await page.reload();
  await expect(button(page, /^one/)).toBeVisible();
  expect((await listing(page)).state).toBe('none');
  await button(page, /^one/).click();
  await ready(page, 'one');
});

test('two tabs reopen what each had open', async ({ page, context, folder }) => {
  const one = await folder({ 'greet.py': hello }, 'one');
  await openFolder(page, one.path);
  const other = await context.newPage();
  await other.goto('./');
  await expect(other.getByRole('heading', { name: 'one' })).toBeVisible(python);
  await other.locator('input[type=file]').nth(1).setInputFiles(zipFile('any.zip', helloZip));
  await expect(other.getByRole('heading', { name: 'greetings' })).toBeVisible(python);
  await kept(other, 1);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'one' })).toBeVisible(python);
  await other.reload();
  await expect(other.getByRole('heading', { name: 'greetings' })).toBeVisible(python);
});

test('a hostile name is shown as text', async ({ page }) => {
  const name = '<img src=x onerror=alert(1)>\u202egnp';
  await openZip(page, 'x.zip', [{ name: `${name}/greet.py`, content: hello }]);
  await ready(page, name);
  await expect(page.getByText('<img src=x onerror=alert(1)>⟨U+202E⟩gnp').first()).toBeVisible();
  await folderMenu(page).click();
  await expect(page.getByRole('list', { name: 'Known folders' })).toContainText('⟨U+202E⟩gnp');
  await expect(page.locator('img[src=x]')).toHaveCount(0);
});
