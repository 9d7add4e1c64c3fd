/** Known folders in IndexedDB: a handle can be kept nowhere else. */

import type { FolderStore } from '../folder/known-folder.ts';
import type { Database } from './db.ts';

export function openFolderStore(database: () => Promise<Database>): FolderStore {
  return {
    all: async () => (await database()).getAll('folders'),
    put: async (folder) => {
      await (await database()).put('folders', folder);
    },
    remove: async (id) => (await database()).delete('folders', id),
  };
}
