/** Which files of a folder are tool files. */

import { comparePaths, isSupportFile, isToolFile } from '../folder/path-rules.ts';
import type { FolderFile, FolderSnapshot } from '../spec/folder.ts';

/** Returns the tool files of a folder in the order in which they are scanned. */
export function toolFiles(folder: FolderSnapshot): FolderFile[] {
  return folder.files
    .filter((file) => isToolFile(file.path) && !isSupport(file))
    .sort((a, b) => comparePaths(a.path, b.path));
}

/** Returns the files that are no tool files although their paths are those of tool files, in order. */
export function supportFiles(folder: FolderSnapshot): FolderFile[] {
  return folder.files.filter((file) => isToolFile(file.path) && isSupport(file));
}

function isSupport(file: FolderFile): boolean {
  const known = support.get(file);
  if (known !== undefined) return known;
  const found = isSupportFile(file.path, () => new TextDecoder().decode(file.bytes));
  support.set(file, found);
  return found;
}

/** Found once for each file, because lists of tool files are made often. */
const support = new WeakMap<FolderFile, boolean>();
