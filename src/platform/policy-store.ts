/** Policies of known folders in IndexedDB. */

import type { PolicyStore } from '../grants/policies.ts';
import type { Database } from './db.ts';

export function openPolicyStore(database: () => Promise<Database>): PolicyStore {
  return {
    get: async (id): Promise<unknown> => (await database()).get('policies', id),
    put: async (policy) => {
      await (await database()).put('policies', policy);
    },
  };
}
