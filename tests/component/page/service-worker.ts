/** Stands in for src/app/offline/service-worker.ts on the test page, which has no service worker and so no API. */

import type { ServiceWorkerState } from '../../../src/app/offline/service-worker.ts';

export function registerServiceWorker(): Promise<ServiceWorkerState> {
  return Promise.resolve({ state: 'unavailable', reason: 'the test page has none' });
}
