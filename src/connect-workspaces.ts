/** Gives the tools of an open folder the workspace that was chosen for it. */

import type { FolderSource } from './folder/source.ts';
import type { Database } from './platform/db.ts';
import { handleDisk } from './platform/handle-disk.ts';
import { handleSource } from './platform/handle-source.ts';
import { canPickWorkspace, pickWorkspace } from './platform/pick-workspace.ts';
import { privateFolders } from './platform/private-folders.ts';
import { openWorkspaceStore } from './platform/workspace-store.ts';
import { createPacer } from './async/pace.ts';
import type { Limits } from './spec/limits.ts';
import type { WorkspaceControl } from './ui/workspace/workspace-control.ts';
import { Workspaces } from './workspace/workspaces.ts';

export interface WorkspaceHands {
  /** Address of the app, with a slash at the end. */
  readonly base: URL;
  readonly window: Window;
  readonly limits: Limits;
  /** The id of each source whose folder is known. */
  readonly ids: WeakMap<FolderSource, string>;
  readonly database: () => Promise<Database>;
  report(thrown: unknown): void;
}

export function connectWorkspaces(hands: WorkspaceHands): WorkspaceControl {
  const { base, window, limits, ids, database } = hands;
  // Absent where the page came over plain HTTP.
  const storage = (window.navigator as { readonly storage?: StorageManager }).storage;
  const kept = privateFolders(storage, base.pathname);
  const workspaces = new Workspaces({
    store: openWorkspaceStore(database),
    openDisk: async ({ key, name, handle }) => {
      const folder = handle ?? (await kept.open(key));
      return handleDisk(folder, { ...handleSource(folder), name });
    },
    removeKept: (key) => kept.remove(key),
    limits,
    now: () => performance.now(),
    newId: () => crypto.randomUUID(),
    report: (thrown) => {
      hands.report(thrown);
    },
  });
  void workspaces.load();
  window.addEventListener('beforeunload', (event) => {
    // The browser asks whether to leave.
    if (workspaces.unsaved.length > 0) event.preventDefault();
  });
  return {
    workspaces,
    canPick: canPickWorkspace(),
    canKeep: kept.available,
    pick: pickWorkspace,
    zip: async (files) => {
      const { zipOf } = await import('./platform/write-zip.ts');
      const pacer = createPacer();
      return zipOf(files, async () => {
        if (pacer.due()) await pacer.rest();
      });
    },
    findFor: (source) => () => workspaces.forCall(() => ids.get(source)),
  };
}
