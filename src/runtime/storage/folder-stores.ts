/**
 * Stores the records of each tools folder in IndexedDB, the only storage that accepts handles: the
 * folder itself, its policy, its workspace, and drafts of edited files.
 */

import type { EditDrafts } from '../folder/edit-draft.ts';
import type { FolderStore } from '../folder/known-folder.ts';
import type { PolicyStore } from '../grants/policies.ts';
import type { WorkspaceStore } from '../workspace/choice.ts';
import { openChannel } from '../async/channel.ts';
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

/** Pages of one browser notify each other of changes. */
export function openPolicyStore(database: () => Promise<Database>, basePath: string): PolicyStore {
  const channel = openChannel(`cloche:${basePath}:policies`);
  return {
    get: async (id): Promise<unknown> => (await database()).get('policies', id),
    put: async (policy) => {
      await (await database()).put('policies', policy);
      channel?.postMessage(policy.id);
    },
    observe: (listener) => {
      channel?.addEventListener('message', ({ data }: MessageEvent) => {
        if (typeof data === 'string') listener(data);
      });
    },
  };
}

/** Pages of one browser notify each other of changes. */
export function openWorkspaceStore(
  database: () => Promise<Database>,
  basePath: string,
): WorkspaceStore {
  const channel = openChannel(`cloche:${basePath}:workspaces`);
  return {
    all: async () => (await database()).getAll('workspaces'),
    get: async (id) => (await database()).get('workspaces', id),
    put: async (choice, known) => {
      const writing = (await database()).transaction('workspaces', 'readwrite');
      const stored = await writing.store.get(choice.id);
      const isNewer = stored !== undefined && stored.key !== known;
      if (!isNewer) await writing.store.put(choice);
      await writing.done;
      if (isNewer) return stored;
      channel?.postMessage(choice.id);
      return choice;
    },
    remove: async (id) => {
      await (await database()).delete('workspaces', id);
      channel?.postMessage(id);
    },
    observe: (listener) => {
      channel?.addEventListener('message', ({ data }: MessageEvent) => {
        if (typeof data === 'string') listener(data);
      });
    },
  };
}

export function openEditDrafts(database: () => Promise<Database>): EditDrafts {
  return {
    // An array is a later key than every string.
    all: async (folderId) =>
      (await database()).getAll('edits', IDBKeyRange.bound([folderId], [folderId, []])),
    put: async (folderId, draft) => {
      const writing = (await database()).transaction('edits', 'readwrite');
      const put = writing.store.put(draft, [folderId, draft.path]);
      // Commit explicitly: if the page closes, uncommitted changes are lost.
      writing.commit();
      await Promise.all([put, writing.done]);
    },
    remove: async (folderId, path) => (await database()).delete('edits', [folderId, path]),
  };
}
