/** Compares two snapshots of a folder. */

import { sameBytes } from '../spec/same-bytes.ts';
import type { FolderChanges, FolderSnapshot } from '../spec/folder.ts';

/** Returns what has changed. Files that are the same object or have the same bytes have not changed. */
export function changesBetween(before: FolderSnapshot, after: FolderSnapshot): FolderChanges {
  const old = new Map(before.files.map((file) => [file.path, file]));
  const written = after.files.filter((file) => {
    const known = old.get(file.path);
    return known !== file && !sameBytes(known?.bytes ?? null, file.bytes);
  });
  const now = new Set(after.files.map((file) => file.path));
  const removed = before.files.flatMap(({ path }) => (now.has(path) ? [] : [path]));
  const cameOrWent = removed.length > 0 || written.some(({ path }) => !old.has(path));
  return { written, removed, cameOrWent };
}

export function listChangedPaths({ written, removed }: FolderChanges): ReadonlySet<string> {
  return new Set([...removed, ...written.map(({ path }) => path)]);
}
