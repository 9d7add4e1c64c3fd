/** A folder behind a handle of the File System Access API, which can be read again. */

import type { FolderSource, FolderWalk, SourceEntry } from './source.ts';
import { composeName } from '../spec/composed-name.ts';
import type { ChangedFiles } from './folder-observer.ts';
import { isRefused } from './permission.ts';

export function handleSource(handle: FileSystemDirectoryHandle): FolderSource {
  /** Handles from the observer's last report: finding a file by its path takes as long as opening it. */
  let changed: ChangedFiles = new Map();
  return {
    name: handle.name,
    kind: 'directory',
    rereadable: true,
    handle,
    entries: (signal, walk) => walkFolders(signal, walk, handle, children),
    open: async (path) => (changed.get(path) ?? (await fileAt(handle, path))).getFile(),
    observe: async (onNotice) => {
      const { observeFolder } = await import('./folder-observer.ts');
      return observeFolder(handle, (notice, files) => {
        changed = files;
        onNotice(typeof notice === 'string' ? notice : notice.map(composeName));
      });
    },
  };
}

async function fileAt(
  root: FileSystemDirectoryHandle,
  path: string,
): Promise<FileSystemFileHandle> {
  const names = path.split('/');
  const name = names.pop() ?? '';
  let folder = root;
  for (const above of names)
    folder = await folder.getDirectoryHandle(await nameOnDisk(folder, above, 'directory'));
  return folder.getFileHandle(await nameOnDisk(folder, name, 'file'));
}

/** Returns the name under which a file or folder is stored, which can only differ beyond ASCII. */
async function nameOnDisk(
  folder: FileSystemDirectoryHandle,
  name: string,
  kind: FileSystemHandle['kind'],
): Promise<string> {
  if (/^[ -~]*$/.test(name)) return name;
  const { findStoredName: storedName } = await import('./file-handles.ts');
  return storedName(folder, name, kind);
}

async function* children(
  folder: FileSystemDirectoryHandle,
): AsyncGenerator<Child<FileSystemDirectoryHandle>> {
  for await (const child of folder.values()) {
    const { name } = child;
    if (child.kind === 'directory') yield { name, folder: child };
    else yield { name, file: () => child.getFile() };
  }
}

/** A child of a folder: a file, or a folder of the same kind. */
export type Child<F> =
  | { readonly name: string; readonly file: () => Promise<File> }
  | { readonly name: string; readonly folder: F };

/** Yields every file below `root`, level by level, as specified by {@link FolderSource.entries}. */
export async function* walkFolders<F>(
  signal: AbortSignal,
  walk: FolderWalk,
  root: F,
  children: (folder: F) => AsyncIterable<Child<F>>,
): AsyncGenerator<SourceEntry> {
  const found: { path: string; folder: F }[] = [{ path: '', folder: root }];
  // The loop appends to the list.
  for (const { path: above, folder } of found) {
    try {
      for await (const child of children(folder)) {
        signal.throwIfAborted();
        const path = above === '' ? child.name : `${above}/${child.name}`;
        if ('file' in child) yield { path, file: child.file };
        else if (walk.enter(path)) found.push({ path, folder: child.folder });
      }
    } catch (thrown) {
      if (signal.aborted || above === '' || isRefused(thrown)) throw thrown;
      walk.unlisted(above, thrown);
    }
  }
}
