/** Registers the service worker. Without it the app works, except for the API. */

import { errorText } from '../../runtime/spec/error.ts';

export type ServiceWorkerState =
  { readonly state: 'ready' } | { readonly state: 'unavailable'; readonly reason: string };

const startMs = 20_000;

/**
 * Resolves when the worker controls the scope. Never rejects.
 *
 * @param container `navigator.serviceWorker`; undefined if the browser has none or the page is not a secure context
 * @param base the app's address, with a slash at the end
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
    const checkState = (): void => {
      if (worker.state === 'activated') settle({ state: 'ready' });
      if (worker.state === 'redundant') settle(unavailable('the service worker failed to start'));
    };
    const settle = (state: ServiceWorkerState): void => {
      clearTimeout(timer);
      worker.removeEventListener('statechange', checkState);
      resolve(state);
    };
    worker.addEventListener('statechange', checkState);
    checkState();
  });
}

function unavailable(reason: string): ServiceWorkerState {
  return { state: 'unavailable', reason };
}
