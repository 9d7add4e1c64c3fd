/** Stores the app for offline use behind the page's back, looks for newer builds, and tells both in the app's status. */

import type { ClocheApp } from './app.ts';
import type { ApiConnection } from './connect-api.ts';
import { BuildStore } from './platform/build-store.ts';
import { Offline } from './platform/offline.ts';
import type { KeptPackages } from './platform/package-store.ts';
import { readUsage } from './platform/storage-usage.ts';
import { buildLock } from './protocol/offline.ts';
import type { Snapshots } from './sandbox/snapshots.ts';
import type { Build } from './spec/offline.ts';
import type { SiteControl } from './ui/settings/site-control.ts';
import { whenIdle } from './when-idle.ts';

export interface OfflineParts {
  /** Address of the app, with a slash at the end. */
  readonly base: URL;
  readonly window: Window;
  readonly api: Promise<ApiConnection>;
  readonly snapshots: Promise<Snapshots | null>;
  readonly packages: Pick<KeptPackages, 'bytes' | 'clear'>;
}

/** Python's start and what it was started for go before; where they do not end, they are waited for no longer than this. */
const longestMs = 30_000;
/** How long the page has had nothing to do before files are stored; milliseconds. */
const quietMs = 1_500;
const hourMs = 3_600_000;

export function connectOffline(app: ClocheApp, parts: OfflineParts): SiteControl {
  const { base, window, api, snapshots, packages } = parts;
  const registered = api.then(({ serviceWorker }) => serviceWorker);
  const takeOverApi = async (): Promise<void> => {
    (await api).takeOver();
  };
  const { navigator } = window;
  // Absent where the page came over plain HTTP.
  const caches = window.caches as CacheStorage | undefined;
  const build = readBuild(window.document);
  const worker = registered.then((sw) =>
    sw.state === 'ready' ? 'Active' : `Not there: ${sw.reason}`,
  );
  const storage = (navigator as { readonly storage?: StorageManager }).storage;
  const snapshotBytes = async (): Promise<number> => (await (await snapshots)?.bytes()) ?? 0;
  const removeSnapshot = async (): Promise<void> => (await snapshots)?.giveUp();
  const removePackages = (): Promise<void> => packages.clear();
  const kept = { snapshot: snapshotBytes, packages: () => packages.bytes() };
  const persist = async (): Promise<boolean> => (await storage?.persist()) ?? false;
  if (build === null || caches === undefined) {
    const reason =
      build === null ? 'this is the development server' : 'the browser keeps no files here';
    app.status.set({ offline: { at: 'unavailable', reason } });
    return {
      build,
      worker,
      persist,
      takeOverApi,
      removeSnapshot,
      removePackages,
      usage: () => readUsage({ offline: () => Promise.resolve(0), ...kept }, storage),
      storeOffline: () => Promise.resolve(),
      removeOffline: () => Promise.resolve(),
    };
  }
  const { locks } = navigator;
  // Refused inside another site's page, where the browser keeps nothing for us either.
  locks
    .request(buildLock(base.pathname, build.id), { mode: 'shared' }, forEver)
    .catch(() => undefined);
  const fetch = (url: string, init: RequestInit): Promise<Response> => window.fetch(url, init);
  const now = (): number => Date.now();
  const store = new BuildStore({ base, build: build.id, caches, locks, fetch, now });
  const offline = new Offline({
    base,
    build: build.id,
    store,
    fetch,
    now,
    obstacle: registered.then((sw) => (sw.state === 'ready' ? undefined : sw.reason)),
    quiet: settled(app),
    choice: keptChoice(`cloche-offline:${base.pathname}`, window),
    onState: (state) => {
      app.status.set({ offline: state });
    },
    onUpdate: (update) => {
      if (app.status.get().update !== update) app.status.set({ update });
    },
  });
  void offline.start();
  const look = (): void => {
    if (window.document.visibilityState === 'visible') void offline.lookAgain();
  };
  window.document.addEventListener('visibilitychange', look);
  window.addEventListener('online', () => void offline.look());
  setInterval(look, hourMs);
  return {
    build,
    worker,
    persist,
    takeOverApi,
    removeSnapshot,
    removePackages,
    usage: () => readUsage({ offline: () => store.bytes(), ...kept }, storage),
    storeOffline: () => offline.store(),
    removeOffline: () => offline.remove(),
  };
}

function readBuild(document: Document): Build | null {
  const mark = document.querySelector('meta[name="cloche-build"]');
  if (!(mark instanceof HTMLMetaElement)) return null;
  return { id: mark.content, date: mark.dataset.date ?? '' };
}

function forEver(): Promise<never> {
  return new Promise(() => {});
}

function settled(app: ClocheApp): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      clearTimeout(timer);
      stop();
      resolve();
    };
    const look = (): void => {
      if (app.status.get().python === 'failed') settle();
    };
    const timer = setTimeout(settle, longestMs);
    const stop = app.status.observe(look);
    void whenIdle(app, quietMs).then(settle);
    look();
  });
}

/** Some settings of browsers make even the mention of storage throw. */
function keptChoice(key: string, window: Window): { declined: boolean } {
  let declined = false;
  try {
    declined = window.localStorage.getItem(key) === 'declined';
  } catch {
    // Then it is kept while the page lives.
  }
  return {
    get declined() {
      return declined;
    },
    set declined(value) {
      declined = value;
      try {
        if (value) window.localStorage.setItem(key, 'declined');
        else window.localStorage.removeItem(key);
      } catch {
        // As above.
      }
    },
  };
}
