/** Wheels, resolutions and listings of indexes, kept from visit to visit. */

import { sha256Of } from '../packages/wheel-content.ts';
import type { PackageStore } from '../packages/store.ts';
import type { Database } from './db.ts';
import { openContents } from './kept-content.ts';

export interface KeptPackages extends PackageStore {
  /** Of all wheels. */
  bytes(): Promise<number>;
  /** Drops everything. */
  clear(): Promise<void>;
}

/** @param storage `navigator.storage`, absent where the page is not secure */
export function openPackageStore(
  storage: Pick<StorageManager, 'getDirectory'> | undefined,
  basePath: string,
  database: () => Promise<Database>,
): KeptPackages {
  const folders = ['cloche-wheels', encodeURIComponent(basePath)];
  const wheels = openContents<{ version: 1 }>(storage, { folders, store: 'wheels' }, database);
  const get = async (key: string): Promise<unknown> => (await database()).get('packages', key);
  const put = async (key: string, value: unknown): Promise<void> => {
    await (await database()).put('packages', value, key);
  };
  return {
    wheel: async (sha256) => {
      const stored = await wheels.read(sha256);
      if (stored === null) return null;
      const bytes = new Uint8Array(await stored.content.arrayBuffer());
      // What is in memory cannot change any more, what is on disk can.
      return (await sha256Of(bytes)) === sha256 ? new Blob([bytes]) : null;
    },
    keepWheel: (sha256, content) => wheels.write(sha256, { version: 1 }, [content]),
    lock: (key) => get(`lock ${key}`),
    keepLock: (key, lock) => put(`lock ${key}`, lock),
    listing: (address) => get(`listing ${address}`),
    keepListing: (address, listing) => put(`listing ${address}`, listing),
    bytes: async () => {
      let sum = 0;
      for (const id of await wheels.ids()) sum += (await wheels.read(id))?.content.size ?? 0;
      return sum;
    },
    clear: async () => {
      for (const id of await wheels.ids()) await wheels.remove(id);
      await (await database()).clear('packages');
    },
  };
}
