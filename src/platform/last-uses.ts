/** When each kept thing was used last, so that what nobody has used for long can make room. */

import type { Database } from './db.ts';

export interface LastUses {
  /** It is being used. */
  note(key: string): Promise<void>;
  /** Milliseconds since the epoch; something that has never been noted counts as used now, and is noted. */
  of(key: string): Promise<number>;
  forget(key: string): Promise<void>;
  /** Used since this page was opened. */
  isInUse(key: string): boolean;
}

/** Kept beside what they are about, in the same store of the database. */
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
