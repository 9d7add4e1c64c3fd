/** Compares two snapshots of a folder. */

import type { FolderChanges, FolderFile, FolderSnapshot } from '../spec/folder.ts';

/** Returns what has changed. Files that are the same object or have the same bytes have not changed. */
export function changesBetween(before: FolderSnapshot, after: FolderSnapshot): FolderChanges {
  const old = new Map(before.files.map((file) => [file.path, file]));
  const written = after.files.filter((file) => !sameFile(old.get(file.path), file));
  const now = new Set(after.files.map((file) => file.path));
  const removed = before.files.flatMap(({ path }) => (now.has(path) ? [] : [path]));
  const cameOrWent = removed.length > 0 || written.some(({ path }) => !old.has(path));
  return { written, removed, cameOrWent };
}

/** Returns all changed paths. */
export function changedPaths({ written, removed }: FolderChanges): ReadonlySet<string> {
  return new Set([...removed, ...written.map(({ path }) => path)]);
}

function sameFile(before: FolderFile | undefined, after: FolderFile): boolean {
  if (before === undefined || before === after) return before === after;
  if (before.size !== after.size) return false;
  const { bytes } = before;
  for (let at = 0; at < bytes.length; at += 1) if (bytes[at] !== after.bytes[at]) return false;
  return true;
}
