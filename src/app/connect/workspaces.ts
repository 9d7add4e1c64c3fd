/** Gives the tools of an open folder access to the workspace that the user has chosen for it. */

import type { FolderSource } from '../../folder/source.ts';
import { fileComparer, startDiffWorker } from '../../platform/diff-worker.ts';
import { handleDisk } from '../../platform/handle-disk.ts';
import { handleSource } from '../../platform/handle-source.ts';
import { canPickWorkspace, pickWorkspace } from '../../platform/pick-workspace.ts';
import { privateFolders } from '../../platform/private-folders.ts';
import { openWorkspaceStore } from '../../platform/folder-stores.ts';
import { createPacer } from '../../async/pace.ts';
import type { WorkspaceControl } from '../app.ts';
import { newId, type PageDeps } from '../page-deps.ts';
import { Workspaces } from '../../workspace/workspaces.ts';

export interface WorkspaceDeps extends PageDeps {
  /** Ids of known folders, by their sources. */
  readonly folderIds: WeakMap<FolderSource, string>;
}

export function connectWorkspaces(deps: WorkspaceDeps): WorkspaceControl {
  const { base, window, storage, limits, folderIds, database, report } = deps;
  const privateStore = privateFolders(storage, base.pathname, 'cloche-workspaces');
  const workspaces = new Workspaces({
    store: openWorkspaceStore(database),
    openDisk: async ({ key, name, handle }) => {
      const folder = handle ?? (await privateStore.open(key));
      return handleDisk(folder, { ...handleSource(folder), name });
    },
    removeKept: (key) => privateStore.remove(key),
    now: () => performance.now(),
    newId,
    limits,
    report,
  });
  void workspaces.load();
  window.addEventListener('beforeunload', (event) => {
    // The browser asks the user whether to leave.
    if (workspaces.unsaved.length > 0) event.preventDefault();
  });
  return {
    workspaces,
    canPick: canPickWorkspace(),
    canKeep: privateStore.available,
    pick: pickWorkspace,
    zip: async (files) => {
      const { zipOf } = await import('../../platform/write-zip.ts');
      const pacer = createPacer();
      return zipOf(files, async () => {
        if (pacer.mustRest()) await pacer.rest();
      });
    },
    compare: fileComparer(startDiffWorker),
    findFor: (source) => () => workspaces.forCall(() => folderIds.get(source)),
  };
}
