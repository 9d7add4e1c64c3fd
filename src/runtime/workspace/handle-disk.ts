/** A workspace folder behind a handle of the File System API: on disk, or private to this site. */

import { findStoredName, ignoreMissing, isMissing, writeFile } from '../folder/file-handles.ts';
import type { FolderFile } from '../spec/folder.ts';
import type { WorkspaceDisk } from './folder-on-disk.ts';
import { isPermitted } from '../folder/permission.ts';

/** @param source reads the whole folder */
export function handleDisk(
  handle: FileSystemDirectoryHandle,
  source: WorkspaceDisk['source'],
): WorkspaceDisk {
  const folderOf = async (path: string, create?: 'create'): Promise<FileSystemDirectoryHandle> => {
    let folder = handle;
    for (const part of path.split('/').slice(0, -1)) {
      const above = folder;
      const name = await findStoredName(above, part, 'directory');
      folder = await above.getDirectoryHandle(name, { create: create === 'create' });
      // @mutant nothing is written through a symbolic link to a folder => removed
      if (create === 'create') await expectNoLink(path, above.getDirectoryHandle(name));
    }
    return folder;
  };
  const removeFrom = async (path: string, kind: FileSystemHandle['kind']): Promise<void> => {
    const folder = await folderOf(path);
    await folder.removeEntry(await findStoredName(folder, nameOf(path), kind));
  };
  return {
    source,
    mayRead: (may) => isPermitted(handle, 'read', may),
    mayWrite: (may) => isPermitted(handle, 'readwrite', may),
    async read(path) {
      try {
        const folder = await folderOf(path);
        const name = await findStoredName(folder, nameOf(path), 'file');
        return await contentOf(path, await (await folder.getFileHandle(name)).getFile());
      } catch (thrown) {
        if (!isMissing(thrown)) throw thrown;
        // Throws if the workspace folder itself is missing.
        await handle.keys().next();
        return null;
      }
    },
    async write(path, bytes) {
      const folder = await folderOf(path, 'create');
      const name = await findStoredName(folder, nameOf(path), 'file');
      const isNew = await folder.getFileHandle(name).then(
        () => false,
        (thrown: unknown) => isMissing(thrown),
      );
      const file = await folder.getFileHandle(name, { create: true });
      // @mutant nothing is written through a symbolic link to a file => removed
      await expectNoLink(path, folder.getFileHandle(name));
      try {
        await writeFile(file, [new Uint8Array(bytes)]);
      } catch (thrown) {
        // `getFileHandle` has created an empty file, which must not look like another program's.
        if (isNew) await folder.removeEntry(name).catch(() => undefined);
        throw thrown;
      }
      const { lastModified } = await file.getFile();
      return { path, size: bytes.byteLength, modifiedAt: lastModified, bytes };
    },
    async remove(path) {
      await ignoreMissing(() => removeFrom(path, 'file'));
    },
    async makeFolder(path) {
      await folderOf(`${path}/`, 'create');
    },
    async removeFolder(path) {
      try {
        await ignoreMissing(() => removeFrom(path, 'directory'));
      } catch (thrown) {
        // The folder contains something that the tool cannot see, such as a skipped folder.
        if (!(thrown instanceof DOMException && thrown.name === 'InvalidModificationError'))
          throw thrown;
      }
    },
  };
}

/**
 * Chromium neither lists nor opens symbolic links, as if they did not exist, but follows them where it may create something.
 * @param again opens once more what was just opened or created
 */
async function expectNoLink(path: string, again: Promise<unknown>): Promise<void> {
  try {
    await again;
  } catch (thrown) {
    if (!isMissing(thrown)) throw thrown;
    throw new Error(`“${path}” leads through a symbolic link, which Cloche does not follow.`, {
      cause: thrown,
    });
  }
}

async function contentOf(path: string, file: File): Promise<FolderFile> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return { path, size: bytes.byteLength, modifiedAt: file.lastModified, bytes };
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
