/** Policies of known folders in IndexedDB; pages of one browser tell each other of changes. */

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

/** Null where there is none, or the browser's settings forbid it: then each page keeps to itself. */
function openChannel(name: string): BroadcastChannel | null {
  try {
    return new BroadcastChannel(name);
  } catch {
    return null;
  }
}
