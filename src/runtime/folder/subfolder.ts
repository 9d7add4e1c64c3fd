/** Opens a subfolder of an opened folder, whatever the folder's source is. */

import type { FolderSource, FolderWalk, SourceEntry } from './source.ts';
import { composeName } from '../spec/composed-name.ts';
import { handleSource } from './handle-source.ts';
import { findStoredName } from './file-handles.ts';

/**
 * Returns a subfolder as a folder to open. A subfolder on disk, or in the browser's private file system, is read in
 * place. For a copy, such as a zip file, a second copy is stored.
 *
 * @param path as the page knows it
 */
export async function subfolderOf(source: FolderSource, path: string): Promise<FolderSource> {
  if (source.handle !== undefined) {
    let { handle } = source;
    for (const name of path.split('/'))
      handle = await handle.getDirectoryHandle(await findStoredName(handle, name, 'directory'));
    return handleSource(handle);
  }
  return {
    name: path.slice(path.lastIndexOf('/') + 1),
    kind: source.kind === 'zip' ? 'zip' : 'upload',
    rereadable: false,
    entries: (signal, walk) => entriesIn(source.entries(signal, walkIn(path, walk)), path),
  };
}

/** Enters only the subfolder, and the folders above it. */
function walkIn(folder: string, walk: FolderWalk): FolderWalk {
  return {
    ...walk,
    enter(path) {
      const inside = pathIn(folder, path);
      return inside === null
        ? folder.startsWith(`${composeName(path)}/`)
        : inside === '' || walk.enter(inside);
    },
    unlisted: (path, error) => {
      const inside = pathIn(folder, path);
      if (inside !== null) walk.unlisted(inside || folder, error);
    },
  };
}

async function* entriesIn(
  entries: AsyncIterable<SourceEntry>,
  folder: string,
): AsyncGenerator<SourceEntry> {
  for await (const entry of entries) {
    const path = pathIn(folder, entry.path);
    if (path !== null && path !== '') yield { ...entry, path };
  }
}

/**
 * The path relative to the subfolder; null if it is outside. Paths are written as in the source, which may decompose
 * them.
 */
function pathIn(folder: string, path: string): string | null {
  const names = path.split('/');
  const depth = folder.split('/').length;
  const above = names.slice(0, depth).join('/');
  if (names.length < depth || (above !== folder && composeName(above) !== folder)) return null;
  return names.slice(depth).join('/');
}
