/** Remembers opened folders, and reopens the last one when a visit starts. */

import { createPacer } from '../../runtime/async/pace.ts';
import type { LastFolder } from '../../runtime/folder/known-folder.ts';
import { KnownFolders } from '../../runtime/folder/known-folders.ts';
import type { FolderSource } from '../../runtime/folder/source.ts';
import { openCopyStore } from '../../runtime/storage/copy-store.ts';
import type { FetchDeps } from '../../runtime/open-folder/fetched-folder.ts';
import { openFolderStore } from '../../runtime/storage/folder-stores.ts';
import { handleSource } from '../../runtime/folder/handle-source.ts';
import { isPermitted } from '../../runtime/folder/permission.ts';
import { networkSender } from '../../runtime/grants/network-sender.ts';
import { privateFolders } from '../../runtime/storage/private-folders.ts';
import { samplesSource } from '../../runtime/folder/samples-source.ts';
import { errorText } from '../../runtime/spec/error.ts';
import type { Status } from '../app.ts';
import type { Phase } from '../../runtime/open-folder/status.ts';
import type { FolderLoader } from '../../runtime/open-folder/folder-loader.ts';
import { newId, startNetworkWorker, type PageDeps } from '../page-deps.ts';

export interface KnownFoldersDeps extends PageDeps {
  readonly last: LastFolder;
  /** Maps each source of a known folder to the folder's id. Filled here. */
  readonly folderIds: WeakMap<FolderSource, string>;
}

export function openKnownFolders(deps: KnownFoldersDeps): KnownFolders {
  const { base, window, storage, limits, last, folderIds, database, report } = deps;
  const { navigator } = window;
  const pacer = createPacer();
  const folders = privateFolders(storage, base.pathname, 'cloche-folders', database);
  return new KnownFolders({
    store: openFolderStore(database),
    copies: openCopyStore(storage, base.pathname, database),
    ids: folderIds,
    fromHandle: handleSource,
    samples: () => samplesSource(base),
    own: {
      open: async (id, name) => {
        const folder = await folders.open(id);
        return { ...handleSource(folder), name, kind: 'own' };
      },
      remove: (id) => folders.remove(id),
    },
    alone: (work) => withLock(navigator, `cloche:${base.pathname}:copies`, work),
    turn: async () => {
      if (pacer.mustRest()) await pacer.rest();
    },
    now: () => Date.now(),
    newId,
    mayRead: (handle, may) => isPermitted(handle, 'read', may),
    last,
    limits,
    report,
  });
}

/**
 * Remembers folders that are opened from now on, loads the list of known folders, and reopens the last one.
 * @returns resolves when the list has been loaded and reopening has begun, if there is a folder. Never rejects.
 */
export async function reopenLastFolder(
  known: KnownFolders,
  {
    folder,
    status,
    framed,
  }: { readonly folder: FolderLoader; readonly status: Status } & Pick<PageDeps, 'framed'>,
): Promise<KnownFolders> {
  if (framed) return known;
  const isNoneOpen = (): boolean => status.get().phase === 'none';
  follow(known, folder, status);
  await known.load();
  try {
    // The user may have opened one in the meantime.
    const source = isNoneOpen() ? await known.reopen() : null;
    if (source !== null && isNoneOpen()) void folder.open(source);
  } catch (thrown) {
    known.showNotice(`Could not reopen the last folder: ${errorText(thrown)}`);
  }
  return known;
}

function follow(known: KnownFolders, folder: FolderLoader, status: Status): void {
  let was: Phase = 'none';
  const check = (): void => {
    const { current } = folder;
    const { phase } = status.get();
    if (phase === was) return;
    const isRead = phase === 'packages' || (phase === 'starting' && was !== 'packages');
    was = phase;
    if (isRead && current) {
      void known.remember(current.source, current.snapshot);
      void known.storeCopy(current.source, current.snapshot);
    }
    if (phase === 'ready' || phase === 'failed') known.openingEnded();
    if (phase === 'none') known.closed();
  };
  status.observe(check);
  // A folder may have been opened before this code was loaded.
  check();
}

async function withLock(
  { locks }: Navigator,
  name: string,
  work: () => Promise<void>,
): Promise<void> {
  // Undefined on insecure pages. Then this tab cannot coordinate with others.
  if (typeof locks === 'object') await locks.request(name, work);
  else await work();
}

/** Fetches a file from its address in a worker that is ended afterwards, without cookies and redirects. */
export async function fetchOnce<T>(
  { window, tap }: PageDeps,
  fetched: (deps: Omit<FetchDeps, 'limits'>) => Promise<T>,
): Promise<T> {
  const worker = startNetworkWorker(tap);
  try {
    return await fetched({
      send: networkSender(() => worker),
      isOnline: () => window.navigator.onLine,
    });
  } finally {
    worker.terminate();
  }
}
