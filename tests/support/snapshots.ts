/** Reads the snapshot that Python starts from, in the page's storage. */

import type { Page } from '@playwright/test';
import { storedSnapshotBytes } from '../../bench/stored-snapshot.mjs';
import { expect } from './expect.ts';

/** Waits until the idle page has made one. @returns its bytes */
export async function snapshotMade(page: Page, timeout = 120_000): Promise<number> {
  await expect.poll(() => snapshotBytes(page), { timeout, intervals: [300] }).toBeGreaterThan(0);
  return snapshotBytes(page);
}

/** 0 if there is no complete one. */
export function snapshotBytes(page: Page): Promise<number> {
  return page.evaluate(storedSnapshotBytes);
}

/** Looks for texts in the stored bytes, in each of the ways that Python keeps text. @returns those found */
export function findInSnapshot(page: Page, texts: readonly string[]): Promise<string[]> {
  return page.evaluate(async (wanted) => {
    const root = await navigator.storage.getDirectory();
    const ours = await root.getDirectoryHandle('cloche-snapshots');
    const found = new Set<string>();
    for await (const folder of ours.values()) {
      if (folder.kind !== 'directory') continue;
      const kept = await folder.getDirectoryHandle('python');
      const file = await (await kept.getFileHandle('content')).getFile();
      const bytes = new TextDecoder('latin1').decode(await file.arrayBuffer());
      const widened = (text: string, zeros: number): string =>
        Array.from(text, (letter) => letter + '\0'.repeat(zeros)).join('');
      for (const text of wanted)
        if ([0, 1, 3].some((zeros) => bytes.includes(widened(text, zeros)))) found.add(text);
    }
    return [...found];
  }, texts);
}

/** Changes one byte in the middle of the stored snapshot, and nothing else. */
export function damageSnapshot(page: Page): Promise<void> {
  return page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    const ours = await root.getDirectoryHandle('cloche-snapshots');
    for await (const folder of ours.values()) {
      if (folder.kind !== 'directory') continue;
      const kept = await folder.getDirectoryHandle('python');
      const handle = await kept.getFileHandle('content');
      const at = Math.floor((await handle.getFile()).size / 2);
      const [byte = 0] = new Uint8Array(
        await (await handle.getFile()).slice(at, at + 1).arrayBuffer(),
      );
      const writable = await handle.createWritable({ keepExistingData: true });
      await writable.write({ type: 'write', position: at, data: new Uint8Array([byte ^ 1]) });
      await writable.close();
    }
  });
}
