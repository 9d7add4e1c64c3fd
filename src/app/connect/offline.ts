/** Stores the app for offline use in the background, checks for newer builds, and reports both in the status. */

import { BuildStore } from '../offline/build-store.ts';
import { offlineChoice } from '../offline/offline-choice.ts';
import { OfflineCopy } from '../offline/offline-copy.ts';
import { buildStorer } from '../offline/store-build.ts';
import type { KeptPackages } from '../../runtime/storage/package-store.ts';
import { buildLock, type InitWithoutRedirects } from '../../runtime/protocol/offline.ts';
import type { Snapshots } from '../../runtime/sandbox/snapshots.ts';
import type { MessageTap } from '../../runtime/protocol/message-tap.ts';
import type { Build, StorageUsage } from '../../runtime/spec/offline.ts';
import type { AppStatus, SiteControl } from '../app.ts';
import type { PageDeps } from '../page-deps.ts';
import type { StatusHolder } from '../../runtime/open-folder/status.ts';
import type { ApiConnection } from './api.ts';

export interface OfflineDeps extends PageDeps {
  readonly status: StatusHolder<AppStatus>;
  readonly api: Promise<ApiConnection>;
  readonly snapshots: Snapshots;
  readonly packages: Pick<KeptPackages, 'bytes' | 'clear'>;
  /** Resolves when storing does not delay anything that the user waits for. */
  readonly quiet: Promise<void>;
}

const hourMs = 3_600_000;

export function connectOffline(deps: OfflineDeps): Omit<SiteControl, 'webMcp'> {
  const { base, window, framed, storage, status, api, snapshots, packages } = deps;
  const registered = api.then(({ serviceWorker }) => serviceWorker);
  const { navigator } = window;
  // Undefined if the page was loaded over plain HTTP.
  const caches = framed ? undefined : (window.caches as CacheStorage | undefined);
  const build = readBuild(window.document);
  const worker = registered.then((sw) =>
    sw.state === 'ready' ? 'Active' : `Unavailable: ${sw.reason}`,
  );
  const stored = { snapshot: () => snapshots.bytes(), packages: () => packages.bytes() };
  const always = {
    build,
    worker,
    takeOverApi: async () => (await api).takeOver(),
    persist: async () => (await storage?.persist()) ?? false,
    removeSnapshot: () => snapshots.disable(),
    removePackages: () => packages.clear(),
  };
  if (build === null || caches === undefined) {
    const reason =
      build === null ? 'this is the development server' : 'the browser cannot store files here';
    status.set({ offline: { at: 'unavailable', reason } });
    return {
      ...always,
      // Nothing can be stored here, so there is nothing to remove.
      usage: () => readUsage({ offline: () => Promise.resolve(0), ...stored }, storage),
      storeOffline: () => Promise.resolve(),
      removeOffline: () => Promise.resolve(),
    };
  }
  const { locks } = navigator;
  // Rejected inside another site's page, where the browser stores nothing for us anyway.
  locks
    .request(buildLock(base.pathname, build.id), { mode: 'shared' }, forever)
    .catch(() => undefined);
  const fetch = (url: string, init: InitWithoutRedirects): Promise<Response> =>
    window.fetch(url, init);
  const now = (): number => Date.now();
  const store = new BuildStore({ base, build: build.id, caches, locks, fetch, now });
  const offline = new OfflineCopy({
    base,
    build: build.id,
    store: {
      isComplete: () => store.isComplete(),
      has: (address) => store.has(address),
      store: buildStorer(() => startStorer(deps.tap), base, build.id),
      confirm: () => store.confirm(),
      dropOthers: () => store.dropOthers(),
      clear: () => store.clear(),
    },
    fetch,
    now,
    obstacle: registered.then((sw) => (sw.state === 'ready' ? undefined : sw.reason)),
    quiet: deps.quiet,
    choice: offlineChoice(window, base.pathname),
    onState: (state) => status.set({ offline: state }),
    onUpdate: (update) => {
      if (status.get().update !== update) status.set({ update });
    },
  });
  void offline.start();
  const check = (): void => {
    if (window.document.visibilityState === 'visible') void offline.lookAgain();
  };
  window.document.addEventListener('visibilitychange', check);
  window.addEventListener('online', () => void offline.look());
  setInterval(check, hourMs);
  return {
    ...always,
    usage: () => readUsage({ offline: () => store.bytes(), ...stored }, storage),
    storeOffline: () => offline.store(),
    removeOffline: () => offline.remove(),
  };
}

function readBuild(document: Document): Build | null {
  const mark = document.querySelector('meta[name="cloche-build"]');
  if (!(mark instanceof HTMLMetaElement)) return null;
  return { id: mark.content, date: mark.dataset.date ?? '' };
}

function startStorer(tap: MessageTap): Worker {
  const worker = new Worker(new URL('../../../workers/offline/storer.ts', import.meta.url), {
    type: 'module',
    name: 'offline',
  });
  return tap.watch('offline', worker);
}

function forever(): Promise<never> {
  return new Promise(() => {});
}

/** Sizes that the app determines itself, in bytes. */
type Counted = Readonly<Record<'offline' | 'snapshot' | 'packages', () => Promise<number>>>;

/** Measures the stored data. Never rejects: unknown sizes are 0 or null. */
async function readUsage(
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
