/** A folder behind a handle of the File System Access API, which can be read again. */

import type { FolderSource } from '../folder/source.ts';
import { walkFolders, type Child } from './walk-folders.ts';

export function handleSource(handle: FileSystemDirectoryHandle): FolderSource {
  return {
    name: handle.name,
    kind: 'directory',
    rereadable: true,
    handle,
    entries: (signal, walk) => walkFolders(signal, walk, handle, children),
    open: async (path) => {
      const names = path.split('/');
      const name = names.pop() ?? '';
      let folder = handle;
      for (const above of names) folder = await folder.getDirectoryHandle(above);
      return (await folder.getFileHandle(name)).getFile();
    },
    observe: async (onNotice) => {
      const { observeFolder } = await import('./folder-observer.ts');
      return observeFolder(handle, onNotice);
    },
  };
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
