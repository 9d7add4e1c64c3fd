/** Where packages are kept, in this browser. */

import type { SnapshotParts } from './connect-snapshots.ts';
import { openPackageStore, type KeptPackages } from './platform/package-store.ts';

export function openPackages({ base, navigator, database }: SnapshotParts): KeptPackages {
  // Absent where the page came over plain HTTP.
  const storage = (navigator as { readonly storage?: StorageManager }).storage;
  return openPackageStore(storage, base.pathname, database);
}
