/** Records when each stored item was last used, so that items unused for long can be deleted. */

import type { Database } from './db.ts';

export interface LastUses {
  /** Records a use. */
  note(key: string): Promise<void>;
  /** Returns the time of the last use in milliseconds since the epoch. An unknown item is recorded as used now. */
  of(key: string): Promise<number>;
  forget(key: string): Promise<void>;
  /** Whether the item was used since this page was opened. */
  isInUse(key: string): boolean;
}

/** Stored next to the items, in the same store of the database. */
export function lastUses(database: () => Promise<Database>, now: () => number): LastUses {
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
