/** Folders in the browser's private file system: workspaces, and tools folders of the user's own. */

import { ignoreMissing } from './file-handles.ts';

export interface PrivateFolders {
  /** Whether the browser has such a file system, and pages may write to it. */
  readonly available: boolean;
  /** Opens the folder, and creates it if necessary. */
  open(id: string): Promise<FileSystemDirectoryHandle>;
  remove(id: string): Promise<void>;
}

/** @param storage `navigator.storage`; undefined if the page is not a secure context */
export function privateFolders(
  storage: Pick<StorageManager, 'getDirectory'> | undefined,
  basePath: string,
  root: 'cloche-workspaces' | 'cloche-folders',
): PrivateFolders {
  const writable: unknown = Reflect.get(globalThis, 'FileSystemFileHandle');
  const available =
    typeof storage?.getDirectory === 'function' &&
    typeof writable === 'function' &&
    'createWritable' in Object(writable.prototype);
  const all = async (): Promise<FileSystemDirectoryHandle> => {
    if (storage === undefined) throw new Error('This browser cannot store files here.');
    // Each base path of the origin has one folder, like the database.
    let folder = await storage.getDirectory();
    for (const name of [root, encodeURIComponent(basePath)])
      folder = await folder.getDirectoryHandle(name, { create: true });
    return folder;
  };
  return {
    available,
    open: async (id) => (await all()).getDirectoryHandle(id, { create: true }),
    remove: (id) => ignoreMissing(async () => (await all()).removeEntry(id, { recursive: true })),
  };
}
