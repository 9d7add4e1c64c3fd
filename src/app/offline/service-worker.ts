/** Registers the service worker. Without it the app works, except for the API. */

import { errorText } from '../../runtime/spec/error.ts';

export type ServiceWorkerState =
  { readonly state: 'ready' } | { readonly state: 'unavailable'; readonly reason: string };

/** Deadline of the registration and the worker's start; milliseconds. */
const startMs = 60_000;

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
    return unavailableState(
      'service workers are not available here (they need https or localhost, and no private window)',
    );
  }
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<ServiceWorkerState>((resolve) => {
    const giveUp = (): void =>
      resolve(unavailableState('the service worker did not start within a minute'));
    timer = setTimeout(giveUp, startMs);
  });
  try {
    return await Promise.race([start(container, base), late]);
  } catch (error) {
    return unavailableState(errorText(error));
  } finally {
    clearTimeout(timer);
  }
}

async function start(container: ServiceWorkerContainer, base: URL): Promise<ServiceWorkerState> {
  const registration = await container.register(new URL('sw.js', base), {
    scope: base.pathname,
    updateViaCache: 'none',
  });
  const worker = registration.active ?? registration.waiting ?? registration.installing;
  if (worker === null) return unavailableState('the service worker is gone');
  return new Promise((resolve) => {
    const checkState = (): void => {
      if (worker.state === 'activated') settle({ state: 'ready' });
      if (worker.state === 'redundant')
        settle(unavailableState('the service worker failed to start'));
    };
    const settle = (state: ServiceWorkerState): void => {
      worker.removeEventListener('statechange', checkState);
      resolve(state);
    };
    worker.addEventListener('statechange', checkState);
    checkState();
  });
}

function unavailableState(reason: string): ServiceWorkerState {
  return { state: 'unavailable', reason };
}
