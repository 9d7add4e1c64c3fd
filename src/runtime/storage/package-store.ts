/** Stores wheels, resolutions and index listings across visits, while they are used and within a size limit. */

import type { PackageStore } from '../packages/store.ts';
import { sha256Of } from '../spec/bytes.ts';
import type { Database } from './db.ts';
import { openContents } from './kept-content.ts';

export interface KeptPackages extends PackageStore {
  /** Bytes of all wheels. */
  bytes(): Promise<number>;
  /** Deletes everything. */
  clear(): Promise<void>;
}

export interface Room {
  /** Limit for all wheels together. Wheels that this page uses are never deleted. */
  readonly maxBytes: number;
  /** Milliseconds after which unused listings are deleted. */
  readonly unusedMs: number;
  readonly now: () => number;
}

const defaultRoom: Room = {
  maxBytes: 2 ** 30,
  unusedMs: 90 * 24 * 60 * 60_000,
  now: () => Date.now(),
};

/** @param storage `navigator.storage`; undefined if the page is not a secure context */
export function openPackageStore(
  storage: Pick<StorageManager, 'getDirectory'> | undefined,
  basePath: string,
  database: () => Promise<Database>,
  room: Room = defaultRoom,
): KeptPackages {
  const folders = ['cloche-wheels', encodeURIComponent(basePath)];
  const wheels = openContents<{ version: 1 }>(storage, { folders, store: 'wheels' }, database);
  const uses = lastUses(database, room.now);
  const get = async (key: string): Promise<unknown> => (await database()).get('packages', key);
  const put = async (key: string, value: unknown): Promise<void> => {
    await (await database()).put('packages', value, key);
  };
  const sizes = async (): Promise<Map<string, number>> => {
    const found = new Map<string, number>();
    for (const id of await wheels.ids()) found.set(id, (await wheels.read(id))?.content.size ?? 0);
    return found;
  };
  const recordUse = (key: string): void => {
    // Stored packages can be used even if nothing can be written.
    uses.note(key).catch(() => undefined);
  };
  /** An upper bound for the bytes of all wheels; null if unknown. */
  let maxBytesUsed: number | null = null;

  async function makeRoom(): Promise<void> {
    const kept = await sizes();
    let bytes = sum(kept.values());
    const unused = [...kept.keys()].filter((id) => !uses.isInUse(`wheel ${id}`));
    const dated = await Promise.all(
      unused.map(async (id) => ({ id, at: await uses.of(`wheel ${id}`) })),
    );
    for (const { id } of dated.sort((one, other) => one.at - other.at)) {
      if (bytes <= room.maxBytes) break;
      await wheels.remove(id);
      await uses.forget(`wheel ${id}`);
      bytes -= kept.get(id) ?? 0;
    }
    maxBytesUsed = bytes;
  }

  /** Runs once per page. */
  let pruned: Promise<void> | null = null;
  async function dropOldListings(): Promise<void> {
    const keys = await (await database()).getAllKeys('packages');
    for (const key of keys.filter((one) => one.startsWith('listing '))) {
      if (uses.isInUse(key) || room.now() - (await uses.of(key)) <= room.unusedMs) continue;
      await (await database()).delete('packages', key);
      await uses.forget(key);
    }
  }

  return {
    wheel: async (sha256) => {
      const stored = await wheels.read(sha256);
      if (stored === null) return null;
      const bytes = new Uint8Array(await stored.content.arrayBuffer());
      // Verify the copy in memory, since the file on disk may change.
      if ((await sha256Of(bytes)) !== sha256) return null;
      recordUse(`wheel ${sha256}`);
      return new Blob([bytes]);
    },
    keepWheel: async (sha256, content) => {
      await wheels.write(sha256, { version: 1 }, [content]);
      await uses.note(`wheel ${sha256}`);
      maxBytesUsed =
        maxBytesUsed === null ? sum((await sizes()).values()) : maxBytesUsed + content.size;
      if (maxBytesUsed > room.maxBytes) await makeRoom();
    },
    compiled: (key) => get(`compiled ${key}`),
    keepCompiled: (key, sha256) => put(`compiled ${key}`, sha256),
    lock: (key) => get(`lock ${key}`),
    keepLock: (key, lock) => put(`lock ${key}`, lock),
    listing: async (address) => {
      const found = await get(`listing ${address}`);
      if (found !== undefined) recordUse(`listing ${address}`);
      return found;
    },
    keepListing: async (address, listing) => {
      await put(`listing ${address}`, listing);
      await uses.note(`listing ${address}`);
      await (pruned ??= dropOldListings());
    },
    bytes: async () => sum((await sizes()).values()),
    clear: async () => {
      for (const id of await wheels.ids()) await wheels.remove(id);
      await (await database()).clear('packages');
    },
  };
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const one of numbers) total += one;
  return total;
}

/** Records when each stored item was last used, so that items unused for long can be deleted. */
interface LastUses {
  /** Records a use. */
  note(key: string): Promise<void>;
  /** Returns the time of the last use in milliseconds since the epoch. An unknown item is recorded as used now. */
  of(key: string): Promise<number>;
  forget(key: string): Promise<void>;
  /** Whether the item was used since this page was opened. */
  isInUse(key: string): boolean;
}

/** Stored next to the items, in the same store of the database. */
function lastUses(database: () => Promise<Database>, now: () => number): LastUses {
  const inUse = new Set<string>();
  const put = async (key: string): Promise<number> => {
    const at = now();
    await (await database()).put('packages', at, `used ${key}`);
    return at;
  };
  return {
    note: async (key) => {
      inUse.add(key);
      await put(key);
    },
    of: async (key) => {
      const at: unknown = await (await database()).get('packages', `used ${key}`);
      return typeof at === 'number' ? at : put(key);
    },
    forget: async (key) => {
      await (await database()).delete('packages', `used ${key}`);
    },
    isInUse: (key) => inUse.has(key),
  };
}
