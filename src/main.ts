/** Starts the page: builds the hands, composes the app, mounts the UI. */

import { ClocheApp } from './app.ts';
import type { PolicyConnection } from './connect-policy.ts';
import { CallLog } from './call/call-log.ts';
import type { FolderSource } from './folder/source.ts';
import type { Packages } from './open-packages.ts';
import { openPages } from './platform/open-pages.ts';
import { openLastFolder } from './platform/last-folder.ts';
import { openStorage } from './platform/call-store.ts';
import * as folderSources from './platform/folder-sources.ts';
import { InterpreterSource } from './sandbox/interpreter-source.ts';
import { defaultLimits as limits } from './spec/limits.ts';
import { mountApp } from './ui/mount.ts';
import { painted } from './ui/state/painted.ts';

const base = new URL('./', document.baseURI);
const storage = openStorage(base.pathname);
const storageFailed = (message: string): void => {
  app.status.set({ storage: message });
};

const onStorageFailure = (thrown: unknown): void => {
  storageFailed(String(thrown));
};

const report = (thrown: unknown): void => {
  reportError(thrown);
};

const snapshotParts = { base, navigator, database: storage.database };
const afterPaint = painted().then(() => import('./after-paint.ts'));
const snapshots = afterPaint
  .then(({ openSnapshots }) => openSnapshots(snapshotParts))
  .catch(() => null);

const interpreters = new InterpreterSource({
  document,
  limits,
  snapshots,
  onStatus: (python, pythonStep) => {
    app.status.set({ python, pythonStep });
  },
});

const log = new CallLog({
  store: storage.calls,
  limits,
  pages: openPages(navigator.locks, base.pathname, crypto.randomUUID()),
  onStorageFailure: storageFailed,
  after: (ms, then) => {
    setTimeout(then, ms);
  },
});

const folderIds = new WeakMap<FolderSource, string>();
const shared = { base, limits, ids: folderIds, database: storage.database, report };
const workspaces = afterPaint.then(({ connectWorkspaces }) =>
  connectWorkspaces({ ...shared, window }),
);
const app = new ClocheApp({
  folderId: (source) => folderIds.get(source),
  openInterpreters: async (folder, source, wheels) => {
    const { openPool } = await afterPaint;
    const { openHost } = await policy;
    const findWorkspace = (await workspaces).findFor(source);
    const hands = { navigator, limits, wheels, openHost, findWorkspace, report };
    return openPool(folder, interpreters, hands);
  },
  preparePackages: async (...asked) => (await packages).prepare(...asked),
  approve: async (...asked) => (await policy).approve(...asked),
  visible: {
    now: () => document.visibilityState === 'visible',
    observe: (listener) => {
      document.addEventListener('visibilitychange', listener);
      return () => {
        document.removeEventListener('visibilitychange', listener);
      };
    },
  },
  after: (ms, then) => {
    const timer = setTimeout(then, ms);
    return () => {
      clearTimeout(timer);
    };
  },
  log,
  limits,
  now: () => Date.now(),
  report,
});

const policy: Promise<PolicyConnection> = afterPaint.then(({ connectPolicy }) =>
  connectPolicy(app, {
    ...shared,
    window,
    packages: () => packages,
    onStorageFailure,
  }),
);

addEventListener('pagehide', () => {
  void log.flush();
});

const packages: Promise<Packages> = afterPaint.then(({ openPackages }) =>
  openPackages(app, () => import('./connect-packages.ts'), {
    ...shared,
    window,
    policy,
    interpreters,
    remembered: async () => (await known.ready).remembered(),
    onStorageFailure,
  }),
);

const api = afterPaint.then(({ connectApi }) =>
  connectApi(app, {
    base,
    navigator,
    limits,
    saveListing: storage.saveListing,
    onStorageFailure,
  }),
);
const site = afterPaint.then(async ({ connectOffline, keepSnapshot, tellBusyPython }) => {
  tellBusyPython(app.calls, app.status);
  void snapshots.then((kept) => kept && keepSnapshot(app, interpreters, kept, snapshotParts));
  return connectOffline(app, { base, window, api, snapshots, packages: (await packages).store });
});

const last = openLastFolder(memory('sessionStorage'), memory('localStorage'), base.pathname);
const known = {
  expected: last.get() !== null,
  ready: afterPaint.then(({ connectFolders }) =>
    connectFolders(app, { ...shared, navigator, last }),
  ),
};

if (known.expected) app.expect(known.ready);

const target = document.querySelector('#app');
if (target instanceof HTMLElement) {
  const folders = {
    canPick: folderSources.canPickFolder(),
    pick: folderSources.pickFolder,
    dropped: (data: DataTransfer) => folderSources.droppedFolder(data, limits),
    zipped: (file: File) => folderSources.zippedFolder(file, limits),
    uploaded: folderSources.uploadedFolder,
    samples: async () => (await afterPaint).samplesSource(base),
    known,
  };
  mountApp(target, app, folders, { site, policy, workspaces });
}

// For the browser's console, and for benchmarks.
Object.assign(globalThis, { cloche: app });

void log.load().then(() => {
  // The page rereads the log with every change of status.
  app.status.set({});
});
void painted().then(() => {
  interpreters.warm();
});

/** Some settings of browsers make even the mention of storage throw. */
function memory(name: 'localStorage' | 'sessionStorage'): Storage | null {
  try {
    return window[name];
  } catch {
    return null;
  }
}
