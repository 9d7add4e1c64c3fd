/** Where packages are kept in this browser, and the way to what gets them, which is loaded when a folder declares some. */

import type { ClocheApp } from './app.ts';
import type { Hands } from './app-hands.ts';
import type { PackageConnection, PackageHands } from './connect-packages.ts';
import type { SnapshotParts } from './connect-snapshots.ts';
import { openPackageStore, type KeptPackages } from './platform/package-store.ts';

export interface Packages {
  readonly prepare: Hands['preparePackages'];
  readonly store: KeptPackages;
  /** Resolves the packages of the open folder anew. */
  renew(): Promise<void>;
}

/** Imports what gets packages. */
export type LoadPackages = () => Promise<{
  readonly connectPackages: (app: ClocheApp, hands: PackageHands) => PackageConnection;
}>;

export function openPackages(
  app: ClocheApp,
  load: LoadPackages,
  parts: Omit<PackageHands, 'store'> & Pick<SnapshotParts, 'database'>,
): Packages {
  const { base, window, database } = parts;
  // Absent where the page came over plain HTTP.
  const storage = (window.navigator as { readonly storage?: StorageManager }).storage;
  const store = openPackageStore(storage, base.pathname, database);
  let connected: Promise<PackageConnection> | null = null;
  const connect = (): Promise<PackageConnection> => {
    connected ??= load().then(({ connectPackages }) => connectPackages(app, { ...parts, store }));
    connected.catch(() => {
      // The next folder tries again.
      connected = null;
    });
    return connected;
  };
  return {
    store,
    prepare: async (...asked) => (await connect()).prepare(...asked),
    renew: async () => (await connect()).renew(),
  };
}
