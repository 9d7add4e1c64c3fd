/** Reuses files from a folder's previous reading when it is read again. */

import { composeName } from '../spec/composed-name.ts';
import type { FolderFile, FolderSnapshot } from '../spec/folder.ts';
import type { KnownFiles } from './read-folder.ts';

/** The files that may have changed: those at these paths, those whose size or time differs, or all. */
export type RereadScope = ReadonlySet<string> | 'changed' | 'every';

/** Returns the files of `before` that need not be read again. */
export function findKnownFiles(before: FolderSnapshot, scope: RereadScope): KnownFiles {
  const files = new Map(before.files.map((file) => [file.path, file]));
  const nothing = (): undefined => undefined;
  const old = (path: string): FolderFile | undefined => files.get(path);
  if (scope === 'every') return { untouched: nothing, same: nothing, old };
  if (scope === 'changed') {
    return {
      old,
      untouched: nothing,
      same: (path, { size, lastModified }) =>
        unless(files.get(path), (file) => file.size !== size || file.modifiedAt !== lastModified),
    };
  }
  return {
    old,
    untouched: (path) => unless(files.get(path), () => liesIn(composeName(path), scope)),
    same: nothing,
  };
}

/** Combines two scopes. */
export function widen(a: RereadScope | null, b: RereadScope): RereadScope {
  if (a === null || a === b) return b;
  if (a === 'every' || b === 'every') return 'every';
  if (a === 'changed' || b === 'changed') return 'changed';
  return new Set([...a, ...b]);
}

function unless(
  file: FolderFile | undefined,
  changed: (file: FolderFile) => boolean,
): FolderFile | undefined {
  return file === undefined || changed(file) ? undefined : file;
}

/** Returns whether the scope contains the path or one of its parent folders. */
function liesIn(path: string, scope: ReadonlySet<string>): boolean {
  if (scope.has(path)) return true;
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1))
    if (scope.has(path.slice(0, end))) return true;
  return false;
}
