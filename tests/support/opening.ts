/** Opens tools folders as a user does, and inspects what is stored about them. */

import type { Page } from '@playwright/test';
import { listing } from './app.ts';
import { expect } from './expect.ts';
import { hello } from './hello.ts';
import { makeZip, type ZipEntry } from './make-zip.ts';
import { storedTexts } from './stored.ts';

export const python = { timeout: 240_000 };
export const helloZip = makeZip([
  { name: 'greetings/greet.py', content: hello },
  { name: 'greetings/data/names.txt', content: 'Ada' },
]);

/** Waits until the page answers for a folder. Until it has loaded, the service worker gives the last listing itself. */
export async function ready(page: Page, folder: string): Promise<void> {
  const hosted = (): Promise<string> =>
    page.evaluate(async () => (await fetch('api/folders')).text());
  await expect.poll(hosted, python).toContain(JSON.stringify(folder));
  await expect.poll(() => listing(page), python).toMatchObject({ state: 'ready', folder });
}

export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
export const folderMenu = (page: Page) => button(page, /^Folder /);

/** Presses a button that begins a folder; the start page has most of them in a menu. */
export async function begin(page: Page, way: string): Promise<void> {
  const more = button(page, 'More ways to begin');
  await button(page, way).or(more).first().waitFor();
  if ((await button(page, way).count()) === 0) await more.click();
  await button(page, way).first().click();
}

export async function choose(page: Page, way: string, files: string | ZipFile): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  await begin(page, way);
  await (await choosing).setFiles(files);
}

interface ZipFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

export function zipFile(name: string, content: Buffer): ZipFile {
  return { name, mimeType: 'application/zip', buffer: content };
}

export function openZip(
  page: Page,
  name: string,
  entries: readonly ZipEntry[] | Buffer,
): Promise<void> {
  const content = Buffer.isBuffer(entries) ? entries : makeZip(entries);
  return choose(page, 'Open zip', zipFile(name, content));
}

/** Waits until this many copies of folders are stored, and the list of folders, which is written last, names each. */
export async function kept(page: Page, copies: number): Promise<void> {
  const ids = (): Promise<string[]> =>
    page.evaluate(async () => {
      const root = await navigator.storage.getDirectory();
      const found: string[] = [];
      try {
        const ours = await root.getDirectoryHandle('cloche');
        for await (const base of ours.values())
          if (base.kind === 'directory')
            for await (const copy of base.values())
              if (copy.kind === 'directory') found.push(copy.name);
      } catch {
        // Nothing was kept yet.
      }
      return found;
    });
  const count = async (): Promise<number | string> => {
    const found = await ids();
    if (found.length === 0) return 0;
    const { folders = '' } = await storedTexts(page);
    return found.every((id) => folders.includes(id)) ? found.length : 'being written or deleted';
  };
  await expect.poll(count, { timeout: 120_000 }).toBe(copies);
}
