/** Stores the build in the browser once Python has run, so that the playground works where the page around it works offline. */

import { BuildStore } from '../../app/offline/build-store.ts';
import { hasDeclinedOffline } from '../../app/offline/offline-choice.ts';
import { registerServiceWorker } from '../../app/offline/service-worker.ts';
import { buildOf, type InitWithoutRedirects } from '../../runtime/protocol/offline.ts';

/**
 * In a frame of another site, the browser keeps the service worker and the files for that site alone. Never rejects: where the
 * browser refuses to store anything, the playground needs the network.
 */
export async function keepOffline(signal: AbortSignal, base: URL, window: Window): Promise<void> {
  try {
    if (hasDeclinedOffline(window, base.pathname)) return;
    // Undefined if the page was loaded over plain HTTP.
    const { serviceWorker, locks } = window.navigator as Partial<Navigator> &
      Pick<Navigator, 'locks'>;
    if ((await registerServiceWorker(serviceWorker, base)).state !== 'ready') return;
    const fetch = (url: string, init: InitWithoutRedirects): Promise<Response> =>
      window.fetch(url, init);
    const page = await fetch(base.href, { cache: 'no-cache', redirect: 'error', signal });
    const build = buildOf(await page.text());
    if (build === undefined) return;
    const { caches } = window;
    const store = new BuildStore({ base, build, caches, locks, fetch, now: () => Date.now() });
    // The playground shows no progress of this.
    await store.store(signal, () => undefined);
    await store.dropOthers();
    await store.confirm();
  } catch {
    // A playground that cannot be stored needs the network.
  }
}
