/** Rules for the paths of a folder snapshot. */

import { composeName } from '../spec/composed-name.ts';

/** Longer paths would not fit into the sandbox's messages. */
const longestPath = 1_000;

/**
 * Returns why a path is not allowed, as the end of a sentence; undefined if it is allowed.
 * Allowed paths stay inside the folder on every file system and survive conversion to UTF-8.
 */
export function pathFault(path: string): string | undefined {
  if (path.length > longestPath) return `its path is longer than ${longestPath} characters`;
  // On Windows, a drive letter leads to another drive.
  if (/^[A-Za-z]:/.test(path)) return 'its path begins with a drive letter';
  for (const segment of path.split('/')) {
    if (segment === '') return 'its path has an empty part';
    // @mutant paths lead nowhere outside => never [src/runtime/folder/path-rules.test.ts
    //   src/runtime/zip/zip-source.test.ts]
    if (segment === '.' || segment === '..') return `its path has a part named “${segment}”`;
    // @mutant paths have no backslash => never
    if (segment.includes('\\')) return 'its path has a backslash';
    // Control characters and lone surrogates.
    if (/[\p{Cc}\p{Cs}]/u.test(segment)) return 'its path has a control character';
  }
  return undefined;
}

/**
 * Returns the folder's name if it is a valid folder name in the sandbox, else 'tools'. A whole drive, for
 * example, has no valid name.
 */
export function folderName(name: string): string {
  return pathFault(name) === undefined && !name.includes('/') ? composeName(name) : 'tools';
}

/** Makes a path displayable: on one line and not too long. */
export function showPath(path: string): string {
  const clean = path.replace(/[\p{Cc}\p{Cs}]/gu, '\ufffd');
  return clean.length > 200 ? `${clean.slice(0, 200)}…` : clean;
}

/** Compares paths by UTF-16 code units, which gives the same order in every locale. */
export function comparePaths(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Returns the parent folders of a path, outermost first. */
export function parentFolders(path: string): string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}
