/** Reports how much of the browser's storage is used, and for what. */

import type { StorageUsage } from '../spec/offline.ts';

/** Sizes that the app determines itself, in bytes. */
export type Counted = Readonly<Record<'offline' | 'snapshot' | 'packages', () => Promise<number>>>;

/** Never rejects: unknown sizes are 0 or null. */
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
