/** Which paths may enter a folder snapshot, and which folders are never looked into. */

/** Longer ones would not fit what the sandbox reports. */
const longestPath = 1_000;

const skipped = new Set([
  ...['node_modules', '__pycache__', '.venv', '.tox', '.nox', '.eggs', '.ipynb_checkpoints'],
  ...['.git', '.hg', '.svn', '.idea', '.vscode', '.cache', '.mypy_cache', '.pytest_cache'],
  '.ruff_cache',
]);

/**
 * Why a path cannot be taken, as the end of a sentence; undefined where it can.
 * What passes stays below the folder in every file system and survives as UTF-8.
 */
export function pathFault(path: string): string | undefined {
  if (path.length > longestPath) return `its path is longer than ${longestPath} characters`;
  // On Windows it would lead to wherever that drive is.
  if (/^[A-Za-z]:/.test(path)) return 'its path begins with a drive letter';
  for (const segment of path.split('/')) {
    if (segment === '') return 'its path has an empty part';
    if (segment === '.' || segment === '..') return `its path has a part named “${segment}”`;
    if (segment.includes('\\')) return 'its path has a backslash';
    // Control characters and halves of a surrogate pair.
    if (/[\p{Cc}\p{Cs}]/u.test(segment)) return 'its path has a control character';
  }
  return undefined;
}

/** A folder's name as it is called everywhere: a whole drive, for one, has none that could be a folder's in the sandbox. */
export function folderName(name: string): string {
  return pathFault(name) === undefined && !name.includes('/') ? name : 'tools';
}

/** Whether a folder is skipped with all that is in it: caches, packages of others, and what belongs to other programs. */
export function isSkippedFolder(name: string): boolean {
  return skipped.has(name);
}

/** Whether a path lies in a folder that is skipped. */
export function liesInSkippedFolder(path: string): boolean {
  return path.split('/').slice(0, -1).some(isSkippedFolder);
}

/** A path made fit to be shown, in one line and not too long. */
export function shownPath(path: string): string {
  const clean = path.replace(/[\p{Cc}\p{Cs}]/gu, '\ufffd');
  return clean.length > 200 ? `${clean.slice(0, 200)}…` : clean;
}

/** Whether a path is that of a possible tool file: `.py`, directly in the folder, not hidden and not private. */
export function isToolFile(path: string): boolean {
  return path.endsWith('.py') && !/^[._]|\//.test(path);
}

/** Orders paths by their UTF-16 code units, which is the same in every language setting. */
export function comparePaths(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
