/** Workspaces in tests: chosen as a user does, and inspected without the page. */

import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { openFolder } from './app.ts';
import { expect } from './expect.ts';
import type { MadeFolder } from './make-folder.ts';
import { press } from './press-until.ts';

/** Opens a tools folder with tools that write, and gives it a workspace. */
export async function openWithWorkspace(
  page: Page,
  folder: (files: Record<string, string>, name?: string) => Promise<MadeFolder>,
  {
    name = 'writers',
    way = 'New folder in this browser',
    open = openFolder,
  }: {
    name?: string;
    way?: string;
    open?: (page: Page, path: string) => Promise<unknown>;
  } = {},
): Promise<MadeFolder> {
  const code = await readFile(new URL('workspace.py', import.meta.url), 'utf8');
  const made = await folder({ 'workspace.py': code }, name);
  await page.goto('./');
  await open(page, made.path);
  await page.evaluate(() => (location.hash = '#/workspace'));
  await press(page.getByRole('button', { name: way }));
  await expect(page.getByRole('group', { name: 'Contents' })).toContainText('0 files');
  return made;
}

/** Writes files into the only kept folder, as another program would; null removes one. */
export function onDisk(page: Page, files: Record<string, string | null>): Promise<void> {
  return page.evaluate(async (given) => {
    const root = await navigator.storage.getDirectory();
    let kept = await root.getDirectoryHandle('cloche-workspaces');
    for (let depth = 0; depth < 2; depth += 1)
      for await (const child of kept.values())
        if (child.kind === 'directory') {
          kept = child;
          break;
        }
    for (const [path, text] of Object.entries(given)) {
      const names = path.split('/');
      const name = names.pop() ?? '';
      let folder = kept;
      for (const one of names) folder = await folder.getDirectoryHandle(one, { create: true });
      if (text === null) await folder.removeEntry(name);
      else {
        const writable = await (
          await folder.getFileHandle(name, { create: true })
        ).createWritable();
        await writable.write(text);
        await writable.close();
      }
    }
  }, files);
}

/** All files of the kept folders, text by path. */
export function keptFiles(page: Page): Promise<Record<string, string>> {
  return page.evaluate(keptFilesHere);
}

/** Runs in the page. */
export async function keptFilesHere(): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const walk = async (folder: FileSystemDirectoryHandle, above: string): Promise<void> => {
    for await (const child of folder.values()) {
      const path = `${above}${child.name}`;
      if (child.kind === 'directory') await walk(child, `${path}/`);
      else {
        const file = await child.getFile();
        found[path] = file.size > 1_000 ? `${file.size} bytes` : await file.text();
      }
    }
  };
  // WebKit has no private files.
  if (!('storage' in navigator)) {
    const stored = <T>(asked: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        asked.onsuccess = () => resolve(asked.result);
        asked.onerror = () => reject(new Error('The database does not answer.'));
      });
    const database = await stored(indexedDB.open('cloche:/'));
    const files = database.transaction('files').objectStore('files');
    const both = await Promise.all([stored(files.getAllKeys()), stored(files.getAll())]);
    database.close();
    for (const [n, key] of both[0].entries()) {
      const [folder, above, name] = key as string[];
      const { content } = both[1][n] as { content?: ArrayBuffer };
      if (folder?.startsWith('cloche-workspaces/') === true && content !== undefined)
        found[`${above}${name}`] =
          content.byteLength > 1_000
            ? `${content.byteLength} bytes`
            : new TextDecoder().decode(content);
    }
    return found;
  }
  const root = await navigator.storage.getDirectory();
  const all = await root.getDirectoryHandle('cloche-workspaces');
  for await (const base of all.values())
    if (base.kind === 'directory')
      for await (const kept of base.values()) if (kept.kind === 'directory') await walk(kept, '');
  return found;
}
