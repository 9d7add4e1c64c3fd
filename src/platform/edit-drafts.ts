/** Drafts of edited files in IndexedDB. */

import type { EditDrafts } from '../folder/edit-draft.ts';
import type { Database } from './db.ts';

export function openEditDrafts(database: () => Promise<Database>): EditDrafts {
  return {
    // An array is a later key than every string.
    all: async (folderId) =>
      (await database()).getAll('edits', IDBKeyRange.bound([folderId], [folderId, []])),
    put: async (folderId, draft) => {
      await (await database()).put('edits', draft, [folderId, draft.path]);
    },
    remove: async (folderId, path) => (await database()).delete('edits', [folderId, path]),
  };
}
