/** Remembers what is opened in the app, and reopens the last folder at the start of a visit. */

import type { ClocheApp } from './app.ts';
import type { Phase } from './app-types.ts';
import { KnownFolders } from './folder/known-folders.ts';
import type { LastFolder } from './folder/known-folder.ts';
import type { FolderSource } from './folder/source.ts';
import { openCopyStore } from './platform/copy-store.ts';
import type { Database } from './platform/db.ts';
import { openFolderStore } from './platform/folder-store.ts';
import { handleSource } from './platform/handle-source.ts';
import { mayRead } from './platform/read-permission.ts';
import { samplesSource } from './platform/samples-source.ts';
import { createPacer } from './async/pace.ts';
import { errorText } from './spec/error.ts';
import type { Limits } from './spec/limits.ts';

export interface FolderHands {
  /** Address of the app, with a slash at the end. */
  readonly base: URL;
  readonly navigator: Navigator;
  readonly limits: Limits;
  readonly last: LastFolder;
  /** Takes the id of each source whose folder is known. */
  readonly ids: WeakMap<FolderSource, string>;
  readonly database: () => Promise<Database>;
  report(thrown: unknown): void;
}

/** Resolves when the list is known and the last folder, if any, is being opened. Never rejects. */
export async function connectFolders(app: ClocheApp, hands: FolderHands): Promise<KnownFolders> {
  const { base, navigator, limits, last, ids, database } = hands;
  const copies = openCopyStore(navigator.storage, base.pathname, database);
  const pacer = createPacer();
  const known = new KnownFolders({
    store: openFolderStore(database),
    copies,
    last,
    ids,
    limits,
    fromHandle: handleSource,
    samples: () => samplesSource(base),
    mayRead,
    alone: (work) => alone(navigator, `cloche:${base.pathname}:copies`, work),
    turn: async () => {
      if (pacer.due()) await pacer.rest();
    },
    now: () => Date.now(),
    newId: () => crypto.randomUUID(),
    report: (thrown) => {
      hands.report(thrown);
    },
  });
  follow(app, known);
  await known.load();
  try {
    // Somebody may have been quicker.
    const source = app.status.get().phase === 'none' ? await known.reopen() : null;
    if (source !== null && app.status.get().phase === 'none') void app.open(source);
  } catch (thrown) {
    known.tell(`The last folder was not reopened: ${errorText(thrown)}`);
  }
  return known;
}

function follow(app: ClocheApp, known: KnownFolders): void {
  let was: Phase = 'none';
  const look = (): void => {
    const { folder } = app;
    const { phase } = app.status.get();
    if (phase === was) return;
    const isRead = phase === 'packages' || (phase === 'starting' && was !== 'packages');
    was = phase;
    if (isRead && folder) {
      void known.remember(folder.source, folder.snapshot);
      void known.keep(folder.source, folder.snapshot);
    }
    if (phase === 'ready' || phase === 'failed') known.settled();
    if (phase === 'none') known.closed();
  };
  app.status.observe(look);
  // A folder may have been opened before this was loaded.
  look();
}

async function alone({ locks }: Navigator, name: string, work: () => Promise<void>): Promise<void> {
  // Absent where the page is not secure; then another tab cannot be told either.
  if (typeof locks === 'object') await locks.request(name, work);
  else await work();
}
