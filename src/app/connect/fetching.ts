/** Fetches a tools folder from its address, in a worker that lives as long as that takes. */

import type { FolderSource } from '../../folder/source.ts';
import { fetchedFolder } from '../../platform/fetched-folder.ts';
import { networkSender, startNetworkWorker } from '../../platform/network-sender.ts';
import type { PageDeps } from '../page-deps.ts';

export async function fetchOnce(
  { window, limits }: PageDeps,
  signal: AbortSignal,
  address: string,
): Promise<FolderSource> {
  const worker = startNetworkWorker();
  try {
    return await fetchedFolder(signal, address, {
      send: networkSender(() => worker),
      limits,
      isOnline: () => window.navigator.onLine,
    });
  } finally {
    worker.terminate();
  }
}
