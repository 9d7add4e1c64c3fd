/** Registers the service worker, without which the app works too, but for the API. */

import { errorText } from '../spec/error.ts';

export type ServiceWorkerState =
  { readonly state: 'ready' } | { readonly state: 'unavailable'; readonly reason: string };

const startMs = 20_000;

/**
 * Resolves when the worker serves the scope; never rejects.
 * @param container `navigator.serviceWorker`, absent where the browser has none or the page is not secure
 * @param base address of the app, with a slash at the end
 */
export async function registerServiceWorker(
  container: ServiceWorkerContainer | undefined,
  base: URL,
): Promise<ServiceWorkerState> {
  if (container === undefined) {
    return unavailable(
      'service workers are not available here (they need https or localhost, and no private window)',
    );
  }
  try {
    const registration = await container.register(new URL('sw.js', base), {
      scope: base.pathname,
      updateViaCache: 'none',
    });
    const worker = registration.active ?? registration.waiting ?? registration.installing;
    return worker === null ? unavailable('the service worker is gone') : await activated(worker);
  } catch (error) {
    return unavailable(errorText(error));
  }
}

function activated(worker: ServiceWorker): Promise<ServiceWorkerState> {
  return new Promise((resolve) => {
    const timer = setTimeout(
      () => settle(unavailable('the service worker did not start in 20 seconds')),
      startMs,
    );
    const look = (): void => {
      if (worker.state === 'activated') settle({ state: 'ready' });
      if (worker.state === 'redundant') settle(unavailable('the service worker failed to start'));
    };
    const settle = (state: ServiceWorkerState): void => {
      clearTimeout(timer);
      worker.removeEventListener('statechange', look);
      resolve(state);
    };
    worker.addEventListener('statechange', look);
    look();
  });
}

function unavailable(reason: string): ServiceWorkerState {
  return { state: 'unavailable', reason };
}
