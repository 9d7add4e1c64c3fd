/**
 * Private folders of this site: workspaces, and tools folders of the user's own. They are in the browser's private file
 * system, or in IndexedDB if pages cannot write to that.
 */

import { ignoreMissing } from '../folder/file-handles.ts';
import { databaseFolder, removeDatabaseFolder } from './database-folders.ts';
import type { Database } from './db.ts';
import { canWriteFiles } from './kept-content.ts';

export interface PrivateFolders {
  /** Opens the folder, and creates it if necessary. */
  open(id: string): Promise<FileSystemDirectoryHandle>;
  remove(id: string): Promise<void>;
}

/** @param storage `navigator.storage`; undefined if the page is not a secure context */
export function privateFolders(
  storage: Pick<StorageManager, 'getDirectory'> | undefined,
  basePath: string,
  root: 'cloche-workspaces' | 'cloche-folders',
  database: () => Promise<Database>,
): PrivateFolders {
  /** Returns null where the browser has no such file system, or rejects its use, as private windows of Firefox do. */
  const openRoot = async (): Promise<FileSystemDirectoryHandle | null> => {
    if (!canWriteFiles() || typeof storage?.getDirectory !== 'function') return null;
    let folder = await storage.getDirectory().catch(() => null);
    // Each base path of the origin has one folder, like the database.
    for (const name of [root, encodeURIComponent(basePath)])
      folder = (await folder?.getDirectoryHandle(name, { create: true })) ?? null;
    return folder;
  };
  return {
    open: async (id) =>
      (await (await openRoot())?.getDirectoryHandle(id, { create: true })) ??
      databaseFolder(database, `${root}/${id}`),
    remove: async (id) => {
      const folders = await openRoot();
      if (folders === null) await removeDatabaseFolder(await database(), `${root}/${id}`);
      else await ignoreMissing(() => folders.removeEntry(id, { recursive: true }));
    },
  };
}
