/** Gives the tools of an open folder access to the workspace that the user has chosen for it. */

import type { FolderSource } from '../../runtime/folder/source.ts';
import { fileComparer, startDiffWorker } from '../../runtime/workspace/diff-worker.ts';
import { handleDisk } from '../../runtime/workspace/handle-disk.ts';
import { handleSource } from '../../runtime/folder/handle-source.ts';
import { canPickWorkspace, pickWorkspace } from '../../runtime/workspace/pick-workspace.ts';
import { privateFolders } from '../../runtime/storage/private-folders.ts';
import { openWorkspaceStore } from '../../runtime/storage/folder-stores.ts';
import { createPacer } from '../../runtime/async/pace.ts';
import type { WorkspaceControl } from '../app.ts';
import { newId, type PageDeps } from '../page-deps.ts';
import { Workspace } from '../../runtime/workspace/workspace.ts';
import { Workspaces } from '../../runtime/workspace/workspaces.ts';

export interface WorkspaceDeps extends PageDeps {
  /** Ids of known folders, by their sources. */
  readonly folderIds: WeakMap<FolderSource, string>;
}

export function connectWorkspaces(deps: WorkspaceDeps): WorkspaceControl {
  const { base, window, storage, limits, folderIds, database, report, tap } = deps;
  const privateStore = privateFolders(storage, base.pathname, 'cloche-workspaces', database);
  const workspaces = new Workspaces({
    store: openWorkspaceStore(database, base.pathname),
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
  let lent: Workspace | null = null;
  void workspaces.load();
  window.addEventListener('beforeunload', (event) => {
    // The browser asks the user whether to leave.
    if (workspaces.unsaved.length > 0) event.preventDefault();
  });
  return {
    workspaces,
    canPick: canPickWorkspace(),
    pick: pickWorkspace,
    zip: async (files) => {
      const { zipOf } = await import('../../runtime/zip/write-zip.ts');
      const pacer = createPacer();
      return zipOf(files, async () => {
        if (pacer.mustRest()) await pacer.rest();
      });
    },
    compare: fileComparer(() => startDiffWorker(tap)),
    lend(name, disk, writing) {
      const now = (): number => performance.now();
      lent = new Workspace({ key: newId(), name, disk, limits, now, newId, report }, writing);
      return lent;
    },
    findFor: (source) => () =>
      lent === null ? workspaces.forCall(() => folderIds.get(source)) : Promise.resolve(lent),
  };
}
