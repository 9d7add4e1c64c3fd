/**
 * Providers and, in a separate store, their secrets in IndexedDB. Pages of one browser notify each other of changes.
 */

import { openChannel } from '../../runtime/async/channel.ts';
import { isRecord } from '../../runtime/spec/guards.ts';
import type { StoredProvider, ProviderStore } from '../providers/provider-types.ts';
import type { Database } from '../../runtime/storage/db.ts';

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
      // Another tab has removed the provider, or changed its address.
      if (secrets === undefined && !hasSameAddress(await providers.get(provider.id), provider))
        return false;
      const writes: Promise<unknown>[] = [providers.put(provider)];
      if (secrets === null) writes.push(keys.delete(provider.id));
      else if (secrets !== undefined) writes.push(keys.put(secrets, provider.id));
      await Promise.all([...writes, change.done]);
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
      const reported = (): void => listener();
      channel?.addEventListener('message', reported);
      return () => channel?.removeEventListener('message', reported);
    },
  };
}

/** Returns whether the stored provider exists and has the same address. */
function hasSameAddress(stored: unknown, { baseUrl }: StoredProvider): boolean {
  return isRecord(stored) && stored.baseUrl === baseUrl;
}
