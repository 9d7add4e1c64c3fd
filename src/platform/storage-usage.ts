/** How much of the browser's storage is in use, and for what. */

import type { StorageUsage } from '../spec/offline.ts';

/** What the app has counted itself. */
export type Counted = Readonly<Record<'offline' | 'snapshot' | 'packages', () => Promise<number>>>;

/** Never rejects: what cannot be found out is left out. */
export async function readUsage(
  counted: Counted,
  storage: Pick<StorageManager, 'estimate' | 'persisted'> | undefined,
): Promise<StorageUsage> {
  const [offline, snapshot, packages, estimate, persisted] = await Promise.all([
    counted.offline().catch(() => 0),
    counted.snapshot().catch(() => 0),
    counted.packages().catch(() => 0),
    storage?.estimate().catch(() => undefined),
    storage?.persisted().catch(() => null),
  ]);
  return {
    offline,
    snapshot,
    packages,
    total: estimate?.usage ?? null,
    quota: estimate?.quota ?? null,
    persisted: persisted ?? null,
  };
}
