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
      // The policy of the folder's tools is deleted with it.
      const writing = (await database()).transaction(['folders', 'policies'], 'readwrite');
      await Promise.all([
        writing.objectStore('folders').delete(id),
        writing.objectStore('policies').delete(id),
        writing.done,
      ]);
    },
  };
}
