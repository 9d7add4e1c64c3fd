/** Providers and, in a store of their own, their keys in IndexedDB; pages of one browser tell each other of changes. */

import { isRecord } from '../spec/guards.ts';
import type { KeptProvider, ProviderStore } from '../agent/providers.ts';
import type { Database } from './db.ts';

export function openProviderStore(
  database: () => Promise<Database>,
  basePath: string,
): ProviderStore {
  const channel = openChannel(`cloche:${basePath}:providers`);
  return {
    list: async () => (await database()).getAll('providers'),
    secrets: async (id) => {
      const reading = (await database()).transaction(['providers', 'keys']);
      const [provider, secrets] = await Promise.all([
        reading.objectStore('providers').get(id),
        reading.objectStore('keys').get(id),
        reading.done,
      ]);
      return { provider, secrets };
    },
    put: async (provider, secrets) => {
      const change = (await database()).transaction(['providers', 'keys'], 'readwrite');
      const keys = change.objectStore('keys');
      const providers = change.objectStore('providers');
      // This page has not heard of it yet.
      if (secrets === undefined && !isAt(await providers.get(provider.id), provider)) return false;
      const kept: Promise<unknown>[] = [providers.put(provider)];
      if (secrets === null) kept.push(keys.delete(provider.id));
      else if (secrets !== undefined) kept.push(keys.put(secrets, provider.id));
      await Promise.all([...kept, change.done]);
      channel?.postMessage('changed');
      return true;
    },
    remove: async (id) => {
      const change = (await database()).transaction(['providers', 'keys'], 'readwrite');
      await Promise.all([
        change.objectStore('providers').delete(id),
        change.objectStore('keys').delete(id),
        change.done,
      ]);
      channel?.postMessage('changed');
    },
    observe: (listener) => {
      const reported = (): void => {
        listener();
      };
      channel?.addEventListener('message', reported);
      return () => {
        channel?.removeEventListener('message', reported);
      };
    },
  };
}

/** Neither removed nor moved. */
function isAt(stored: unknown, { baseUrl }: KeptProvider): boolean {
  return isRecord(stored) && stored.baseUrl === baseUrl;
}

/** Null where there is none, or the browser's settings forbid it: then each page keeps to itself. */
function openChannel(name: string): BroadcastChannel | null {
  try {
    return new BroadcastChannel(name);
  } catch {
    return null;
  }
}
