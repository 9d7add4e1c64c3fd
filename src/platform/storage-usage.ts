/** How much of the browser's storage is in use, and for what. */

import type { StorageUsage } from '../spec/offline.ts';

/** Never rejects: what cannot be found out is left out. */
export async function readUsage(
  offlineBytes: () => Promise<number>,
  storage: Pick<StorageManager, 'estimate' | 'persisted'> | undefined,
): Promise<StorageUsage> {
  const [offline, estimate, persisted] = await Promise.all([
    offlineBytes().catch(() => 0),
    storage?.estimate().catch(() => undefined),
    storage?.persisted().catch(() => null),
  ]);
  return {
    offline,
    total: estimate?.usage ?? null,
    quota: estimate?.quota ?? null,
    persisted: persisted ?? null,
  };
}
