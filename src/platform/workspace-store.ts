/** The workspace of each tools folder, in IndexedDB. */

import type { WorkspaceStore } from '../workspace/choice.ts';
import type { Database } from './db.ts';

export function openWorkspaceStore(database: () => Promise<Database>): WorkspaceStore {
  return {
    all: async () => (await database()).getAll('workspaces'),
    put: async (choice) => {
      await (await database()).put('workspaces', choice);
    },
    remove: async (id) => (await database()).delete('workspaces', id),
  };
}
