/** Selects the tool files of a folder. */

import { comparePaths } from '../folder/path-rules.ts';
import { isSupportFile, isToolFile } from '../folder/tool-file-names.ts';
import type { FolderFile, FolderSnapshot } from '../spec/folder.ts';

/** Returns the tool files of a folder in the order in which they are scanned. */
export function toolFiles(folder: FolderSnapshot): FolderFile[] {
  return folder.files
    .filter((file) => isToolFile(file.path) && !isSupport(file))
    .sort((a, b) => comparePaths(a.path, b.path));
}

/** Returns the files that have the path of a tool file but are not tool files, in order. */
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

/** Caches the answer for each file, because lists of tool files are requested often. */
const support = new WeakMap<FolderFile, boolean>();
