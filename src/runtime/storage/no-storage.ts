/** Stores that keep nothing after the page is closed. */

import type { PolicyStore } from '../grants/policies.ts';
import type { Lock, PackageStore } from '../packages/store.ts';
import type { SnapshotStore } from '../spec/interpreter.ts';

export const noPolicies: PolicyStore = {
  get: () => Promise.resolve(undefined),
  put: () => Promise.resolve(),
  observe: () => undefined,
};

export const noSnapshots: SnapshotStore = {
  read: () => Promise.resolve(null),
  write: () => Promise.resolve(),
  clear: () => Promise.resolve(),
  bytes: () => Promise.resolve(0),
};

/** Wheels, resolutions and listings in memory, so that a folder that is opened again needs no network. */
export function packagesInMemory(): PackageStore {
  const wheels = new Map<string, Blob>();
  const locks = new Map<string, Lock>();
  const listings = new Map<string, { text: string; type: string }>();
  return {
    wheel: (sha256) => Promise.resolve(wheels.get(sha256) ?? null),
    keepWheel: (sha256, content) => storeNothing(wheels.set(sha256, content)),
    compiled: () => Promise.resolve(null),
    keepCompiled: () => Promise.resolve(),
    lock: (key) => Promise.resolve(locks.get(key)),
    keepLock: (key, lock) => storeNothing(locks.set(key, lock)),
    listing: (address) => Promise.resolve(listings.get(address)),
    keepListing: (address, listing) => storeNothing(listings.set(address, listing)),
  };
}

function storeNothing(_: unknown): Promise<void> {
  return Promise.resolve();
}
