/** Known folders in IndexedDB, the only storage that accepts handles. */

import type { FolderStore } from '../folder/known-folder.ts';
import type { Database } from './db.ts';

export function openFolderStore(database: () => Promise<Database>): FolderStore {
  return {
    all: async () => (await database()).getAll('folders'),
    put: async (folder) => {
      await (await database()).put('folders', folder);
    },
    remove: async (id) => {
      // The policy of the folder's tools, and unsaved changes of its files, are deleted with it.
      const stores = ['folders', 'policies', 'edits'] as const;
      const writing = (await database()).transaction(stores, 'readwrite');
      await Promise.all([
        writing.objectStore('folders').delete(id),
        writing.objectStore('policies').delete(id),
        // An array is a later key than every string.
        writing.objectStore('edits').delete(IDBKeyRange.bound([id], [id, []])),
        writing.done,
      ]);
    },
  };
}
