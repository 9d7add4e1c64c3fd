/** A folder behind a handle of the File System Access API, which can be read again. */

import type { FolderSource } from '../folder/source.ts';
import type { ChangedFiles } from './folder-observer.ts';
import { walkFolders, type Child } from './walk-folders.ts';

export function handleSource(handle: FileSystemDirectoryHandle): FolderSource {
  /** The last report of the observer: to find a file by its path takes as long as to open it. */
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
        onNotice(notice);
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
  for (const above of names) folder = await folder.getDirectoryHandle(above);
  return folder.getFileHandle(name);
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
