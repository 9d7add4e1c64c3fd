/** Remembers the folders that are opened, and reopens the last one at the start of a visit. */

import { createPacer } from '../../async/pace.ts';
import type { LastFolder } from '../../folder/known-folder.ts';
import { KnownFolders } from '../../folder/known-folders.ts';
import type { FolderSource } from '../../folder/source.ts';
import { openCopyStore } from '../../platform/copy-store.ts';
import { openFolderStore } from '../../platform/folder-store.ts';
import { handleSource } from '../../platform/handle-source.ts';
import { mayRead } from '../../platform/read-permission.ts';
import { samplesSource } from '../../platform/samples-source.ts';
import { errorText } from '../../spec/error.ts';
import type { Phase, Status } from '../app.ts';
import type { FolderLoader } from '../folder/folder-loader.ts';
import type { PageDeps } from '../page-deps.ts';

export interface KnownFoldersDeps extends PageDeps {
  readonly last: LastFolder;
  /** Receives the id of each source whose folder is known. */
  readonly folderIds: WeakMap<FolderSource, string>;
}

export function openKnownFolders(deps: KnownFoldersDeps): KnownFolders {
  const { base, window, limits, last, folderIds, database, report } = deps;
  const { navigator } = window;
  const pacer = createPacer();
  return new KnownFolders({
    store: openFolderStore(database),
    copies: openCopyStore(navigator.storage, base.pathname, database),
    ids: folderIds,
    fromHandle: handleSource,
    samples: () => samplesSource(base),
    alone: (work) => alone(navigator, `cloche:${base.pathname}:copies`, work),
    turn: async () => {
      if (pacer.mustRest()) await pacer.rest();
    },
    now: () => Date.now(),
    newId: () => crypto.randomUUID(),
    ...{ last, limits, mayRead, report },
  });
}

/**
 * Follows what is opened from here on, loads the list, and reopens the last folder.
 * @returns resolves when the list is known and the last folder, if any, is being opened. Never rejects.
 */
export async function reopenLastFolder(
  known: KnownFolders,
  { folder, status }: { readonly folder: FolderLoader; readonly status: Status },
): Promise<KnownFolders> {
  const isNoneOpen = (): boolean => status.get().phase === 'none';
  follow(known, folder, status);
  await known.load();
  try {
    // The user may have opened one meanwhile.
    const source = isNoneOpen() ? await known.reopen() : null;
    if (source !== null && isNoneOpen()) void folder.open(source);
  } catch (thrown) {
    known.tell(`Could not reopen the last folder: ${errorText(thrown)}`);
  }
  return known;
}

function follow(known: KnownFolders, folder: FolderLoader, status: Status): void {
  let was: Phase = 'none';
  const look = (): void => {
    const { current } = folder;
    const { phase } = status.get();
    if (phase === was) return;
    const isRead = phase === 'packages' || (phase === 'starting' && was !== 'packages');
    was = phase;
    if (isRead && current) {
      void known.remember(current.source, current.snapshot);
      void known.keep(current.source, current.snapshot);
    }
    if (phase === 'ready' || phase === 'failed') known.settled();
    if (phase === 'none') known.closed();
  };
  status.observe(look);
  // A folder may have been opened before this was loaded.
  look();
}

async function alone({ locks }: Navigator, name: string, work: () => Promise<void>): Promise<void> {
  // Absent where the page is not secure; then another tab cannot be told either.
  if (typeof locks === 'object') await locks.request(name, work);
  else await work();
}
