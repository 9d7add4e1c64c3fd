/** The workspace's page: choosing a folder, errors, and removing it. */

import { readFile } from 'node:fs/promises';
import { violations } from '../support/axe.ts';
import { button, folderMenu } from '../support/opening.ts';
import { keptFiles, onDisk, openWithWorkspace } from '../support/workspace.ts';
import { invoke, openFolder, ready } from './support/app.ts';
import { columns, look, titleOf } from './support/columns.ts';
import { press, pressUntil } from '../support/press-until.ts';
import { expect, test } from './support/test.ts';

const longLine = `ok = 1;${' '.repeat(240)}evil(); # ${'ก'.repeat(300)} end`;
const edit = (files: Record<string, string | null>) => ['workspace:edit', { files }] as const;

test('a folder of the user’s own is chosen, and asks again after a reload', async ({
  page,
  folder,
}) => {
  // A directory handle as the picker gives it; its permission ends with the page.
  await page.addInitScript(() => {
    const state = { asked: 0 };
    Object.assign(globalThis, {
      asked: state,
      showDirectoryPicker: async (options: { mode: string }) => {
        if (options.mode !== 'readwrite') throw new Error('The mode is not what it should be.');
        sessionStorage.setItem('granted', performance.timeOrigin.toString());
        const root = await navigator.storage.getDirectory();
        return root.getDirectoryHandle('reports', { create: true });
      },
    });
    const granted = (): boolean =>
      sessionStorage.getItem('granted') === performance.timeOrigin.toString();
    const tellsReports = (handle: FileSystemHandle): boolean => handle.name === 'reports';
    Object.assign(FileSystemHandle.prototype, {
      queryPermission(this: FileSystemHandle) {
        return Promise.resolve(!tellsReports(this) || granted() ? 'granted' : 'prompt');
      },
      requestPermission(this: FileSystemHandle) {
        if (navigator.userActivation.isActive && tellsReports(this))
          sessionStorage.setItem('granted', performance.timeOrigin.toString());
        return Promise.resolve(!tellsReports(this) || granted() ? 'granted' : 'denied');
      },
    });
  });
  await openWithWorkspace(page, folder, { way: 'Choose folder', open: openFolder });
  await expect(page.getByRole('group', { name: 'Folder', exact: true })).toContainText(
    'On your disk.',
  );
  await button(page, 'Immediately').click();
  const result = await invoke(page, ...edit({ 'a.txt': 'a' }));
  expect(result.workspace).toEqual({
    name: 'reports',
    entries: [{ path: 'a.txt', what: 'added', state: 'written' }],
    more: 0,
  });
  await page.reload();
  await ready(page, 'writers');
  await press(button(page, 'Allow reading and writing'));
  await expect(page.getByRole('group', { name: 'Contents' })).toContainText('1 file');
  const again = await invoke(page, 'workspace:contents');
  expect(again.textResultForLlm).toBe('{"a.txt": "a"}');
});

test('a write that fails stays in the list with the reason, and is tried again', async ({
  page,
  folder,
}) => {
  await openWithWorkspace(page, folder, { open: openFolder });
  await button(page, 'Immediately').click();
  await page.evaluate(() => {
    const { createWritable } = FileSystemFileHandle.prototype;
    Object.assign(globalThis, { createWritable });
    FileSystemFileHandle.prototype.createWritable = () =>
      Promise.reject(new DOMException('no room', 'QuotaExceededError'));
  });
  const result = await invoke(page, ...edit({ 'a.txt': 'a' }));
  expect(result.workspace?.entries[0]).toMatchObject({ path: 'a.txt', state: 'failed' });
  await expect(page.getByText('Free up space and write the file again.').first()).toBeVisible();
  await page.evaluate(() => {
    Object.assign(FileSystemFileHandle.prototype, {
      createWritable: Reflect.get(globalThis, 'createWritable') as unknown,
    });
  });
  await pressUntil(button(page, 'Write a.txt'), page.getByText('No changes to review'));
  expect(await keptFiles(page)).toEqual({ 'a.txt': 'a' });
});

test('all changes are discarded after a confirmation, whose dialog closes even if something fails', async ({
  page,
  folder,
  trouble,
}) => {
  await openWithWorkspace(page, folder, { open: openFolder });
  const changes = page.getByRole('region', { name: 'Changes' });
  const dialog = page.getByRole('dialog');
  await invoke(page, ...edit({ 'a.txt': 'a' }));
  await button(page, 'Discard change').click();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(changes.getByRole('heading', { name: '1 change' })).toBeVisible();

  trouble.expect(/failed on purpose/);
  await changes.evaluate((list) => {
    list.focus = () => {
      throw new Error('The focus failed on purpose.');
    };
  });
  const failing = page.waitForEvent('pageerror');
  await button(page, 'Discard change').click();
  await dialog.getByRole('button', { name: 'Discard' }).click();
  expect(String(await failing)).toContain('failed on purpose');
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText('No changes to review')).toBeVisible();
  expect(await keptFiles(page)).toEqual({});
});

test('a kept folder is downloaded as a zip file, and emptied after a confirmation', async ({
  page,
  folder,
}) => {
  await openWithWorkspace(page, folder, { open: openFolder });
  await onDisk(page, { 'a.txt': 'a', 'sub/ü.txt': 'umlaut' });
  await button(page, 'Reload files').click();
  await expect(page.getByRole('group', { name: 'Contents' })).toContainText('2 files');
  const downloading = page.waitForEvent('download');
  await button(page, 'Download as zip').click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('writers-workspace.zip');
  const zip = await readFile(await download.path());
  expect(zip.subarray(0, 2).toString()).toBe('PK');
  expect(zip.includes('sub/ü.txt')).toBe(true);
  await page.getByRole('button', { name: 'Delete all files', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete all files' }).click();
  await expect(page.getByRole('group', { name: 'Contents' })).toContainText('0 files');
  expect(await keptFiles(page)).toEqual({});
});

test('forgetting the tools folder deletes its kept workspace, after saying so', async ({
  page,
  folder,
}) => {
  await openWithWorkspace(page, folder, { open: openFolder });
  await onDisk(page, { 'a.txt': 'a' });
  await folderMenu(page).click();
  await button(page, 'Remove writers from the list').click();
  await expect(page.getByText(/Its workspace and all files in it are deleted/)).toBeVisible();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  // Reading the files fails while the workspace is being deleted.
  await expect.poll(() => keptFiles(page).catch(() => null)).toEqual({});
  const result = await invoke(page, 'workspace:where');
  expect(JSON.parse(result.textResultForLlm)).toMatchObject({ path: null });
});

test('leaving with changes that are not written asks', async ({ page, folder }) => {
  await openWithWorkspace(page, folder, { open: openFolder });
  await invoke(page, ...edit({ 'a.txt': 'a' }));
  // A page without user interaction may not ask.
  await page.getByRole('heading', { name: '1 change' }).click();
  const asked = page.waitForEvent('dialog');
  await page.evaluate(() => {
    setTimeout(() => {
      location.reload();
    });
  });
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  await expect(page.getByRole('heading', { name: '1 change' })).toBeVisible();
});

for (const column of columns)
  test(
    `follows the rules: ${titleOf(column)}`,
    { tag: [...column.tag] },
    async ({ page, folder }) => {
      await openWithWorkspace(page, folder, { open: openFolder });
      await onDisk(page, { 'a.txt': 'one\ntwo\nthree\n', 'b.txt': 'b', '.git/x': 'x' });
      const files = {
        'a.txt': `one\n${longLine}\nthree\n`,
        'b.txt': 'B',
        'new/with-a-long-name-in-a-folder.txt': 'n',
      };
      await invoke(page, 'workspace:contents');
      await invoke(page, ...edit(files));
      await onDisk(page, { 'b.txt': 'newer' });
      await button(page, 'Reload files').click();
      await expect(button(page, /^Save as/)).toBeVisible();
      for (const fold of await page.locator('summary').all()) await fold.click();
      await expect(page.getByLabel('Changed lines').first()).toBeVisible();
      // Nothing of a line is hidden, whatever its script.
      await expect(page.getByText('evil(); # ก')).toContainText('ก end');
      const check = async (name: string): Promise<void> => {
        if (column.screens === 'all' || name === 'changes')
          expect.soft(await violations(page), name).toEqual([]);
        // Nothing sticks out.
        const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect.soft(beyond, name).toBeLessThanOrEqual(0);
      };
      await look(page, column);
      await check('changes');
      await page.evaluate(() => (location.hash = '#/settings/workspaces'));
      await expect(page.getByRole('region', { name: 'Workspaces' })).toContainText('writers');
      await check('settings');
      await button(page, 'Remove the workspace of writers').click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove workspace' }).click();
      await page.evaluate(() => (location.hash = '#/workspace'));
      await expect(button(page, 'New folder in this browser')).toBeVisible();
      await check('none');
    },
  );

test('a failed call offers to choose a workspace only in a folder that has none', async ({
  page,
  folder,
}) => {
  const code = await readFile(new URL('../support/workspace.py', import.meta.url), 'utf8');
  await page.goto('./');
  await openFolder(page, (await folder({ 'workspace.py': code }, 'writers')).path);
  await page.evaluate(() => (location.hash = '#/tools/workspace:contents'));
  await button(page, 'Run').click();
  const result = page.getByRole('region', { name: 'Result', exact: true });
  const choose = result.getByRole('link', { name: 'Choose a workspace' });
  await expect(choose).toBeVisible();
  // The folder is not known yet when a stored result is shown.
  await page.reload();
  await expect(choose).toBeVisible();
  await choose.click();
  await press(button(page, 'New folder in this browser'));
  await expect(page.getByRole('group', { name: 'Contents' })).toContainText('0 files');
  await page.goBack();
  await expect(result).toContainText('not NoneType');
  await page.reload();
  await ready(page, 'writers');
  await expect(result).toContainText('not NoneType');
  await expect(choose).toHaveCount(0);
});
