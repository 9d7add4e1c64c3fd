/** Policies of known folders in IndexedDB. Pages of one browser notify each other of changes. */

import { openChannel } from './channel.ts';
import type { PolicyStore } from '../grants/policies.ts';
import type { Database } from './db.ts';

export function openPolicyStore(database: () => Promise<Database>, basePath: string): PolicyStore {
  const channel = openChannel(`cloche:${basePath}:policies`);
  return {
    get: async (id): Promise<unknown> => (await database()).get('policies', id),
    put: async (policy) => {
      await (await database()).put('policies', policy);
      channel?.postMessage(policy.id);
    },
    observe: (listener) => {
      channel?.addEventListener('message', ({ data }: MessageEvent) => {
        if (typeof data === 'string') listener(data);
      });
    },
  };
}
