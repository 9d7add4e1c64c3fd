/** Lets Python start from a snapshot: finds the one of an earlier visit, and makes one when the page has nothing to do. */

import { sandboxAssets } from 'virtual:cloche/sandbox-assets';
import type { App } from './app-types.ts';
import type { Database } from './platform/db.ts';
import { openSnapshotStore } from './platform/snapshot-store.ts';
import type { InterpreterSource } from './sandbox/interpreter-source.ts';
import { snapshotKey } from './sandbox/snapshot-key.ts';
import { Snapshots } from './sandbox/snapshots.ts';
import { ToolError } from './spec/error.ts';
import { whenIdle } from './when-idle.ts';

export interface SnapshotParts {
  /** Address of the app, with a slash at the end. */
  readonly base: URL;
  readonly navigator: Navigator;
  readonly database: () => Promise<Database>;
}

/** How long the page has had nothing to do before a snapshot is made; milliseconds. */
const quietMs = 5_000;
/** How often making one may be broken off by somebody who needs the machine. */
const attempts = 5;

export function openSnapshots({ base, navigator, database }: SnapshotParts): Snapshots {
  const { userAgent, language } = navigator;
  // Absent where the page came over plain HTTP.
  const storage = (navigator as { readonly storage?: StorageManager }).storage;
  const store = openSnapshotStore(storage, base.pathname, database);
  return new Snapshots(store, () =>
    snapshotKey(sandboxAssets, {
      userAgent,
      language,
      // The first use of Intl holds a phone for a fifth of a second.
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      stackSwitching: 'Suspending' in WebAssembly,
    }),
  );
}

/** Makes a snapshot where there is none, once Python runs and the page is idle. Never rejects. */
export async function keepSnapshot(
  app: App,
  interpreters: Pick<InterpreterSource, 'makeSnapshot' | 'starting'>,
  snapshots: Snapshots,
  { base, navigator: { locks } }: SnapshotParts,
): Promise<void> {
  const lock = `cloche:${base.pathname}:snapshot`;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    let busy: AbortSignal;
    do busy = await whenIdle(app, quietMs);
    while (interpreters.starting);
    try {
      // One page of several is enough.
      await locks.request(lock, { ifAvailable: true }, async (mine) => {
        if (mine !== null && !(await snapshots.settled())) await interpreters.makeSnapshot(busy);
      });
      return;
    } catch (thrown) {
      // Full or blocked storage, or a browser that cannot: Python starts without one.
      if (!(thrown instanceof ToolError && thrown.code === 'aborted')) return;
    }
  }
}
