/** Connects the editor with the open folder, the browser's private file system, and stored drafts. Loaded when files are first edited. */

import type { KnownFolders } from '../../runtime/folder/known-folders.ts';
import type { Policies } from '../../runtime/grants/policies.ts';
import { refusalsOf } from '../../runtime/grants/folder-policy.ts';
import { openEditDrafts, openPolicyStore } from '../../runtime/storage/folder-stores.ts';
import { handleDisk } from '../../runtime/workspace/handle-disk.ts';
import type { EditingControl } from '../../runtime/open-folder/folder-editing.ts';
import type { CurrentFolder } from '../../runtime/open-folder/current-folder.ts';
import { FolderEditing } from '../../runtime/open-folder/folder-editing.ts';
import type { FolderLoader } from '../../runtime/open-folder/folder-loader.ts';
import type { PageDeps } from '../page-deps.ts';

export interface EditingDeps extends PageDeps {
  readonly folder: FolderLoader;
  readonly currentFolder: CurrentFolder;
  readonly known: KnownFolders;
  readonly policies: Policies;
}

export function connectEditing(deps: EditingDeps): EditingControl {
  const { base, window, folder, currentFolder, known, policies, database, limits } = deps;
  const { locks } = window.navigator as Partial<Navigator>;
  return new FolderEditing({
    folder,
    currentFolder,
    limits,
    diskOf: (source) => (source.handle === undefined ? null : handleDisk(source.handle, source)),
    create: (name) => known.create(name),
    discard: async (source) => {
      const id = currentFolder.idOf(source);
      if (id !== undefined) await known.remove(id);
    },
    drafts: openEditDrafts(database),
    refusals: () => {
      const refused = refusalsOf(policies.current.get());
      const store = openPolicyStore(database, base.pathname);
      return (id) => store.put({ id, ...refused });
    },
    alone: async (work) =>
      locks === undefined ? work() : locks.request(`cloche:${base.pathname}:edit`, work),
  });
}
