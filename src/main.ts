/** Starts the page: builds the hands, composes the app, mounts the UI. */

import { ClocheApp } from './app.ts';
import type { Connected } from './connect.ts';
import { CallLog } from './call/call-log.ts';
import type { FolderSource } from './folder/source.ts';
import { openPages } from './platform/open-pages.ts';
import { openLastFolder } from './platform/last-folder.ts';
import { openStorage } from './platform/call-store.ts';
import * as folderSources from './platform/folder-sources.ts';
import { defaultLimits as limits } from './spec/limits.ts';
import type { SessionsControl } from './ui/sessions/sessions-control.ts';
import { mountApp } from './ui/shell/mount.ts';
import { painted } from './ui/shell/painted.ts';

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

const afterPaint = painted().then(() => import('./after-paint.ts'));
const snapshots = afterPaint
  .then(({ openSnapshots }) => openSnapshots({ base, navigator, database: storage.database }))
  .catch(() => null);

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
const app = new ClocheApp({
  folderId: (source) => folderIds.get(source),
  openInterpreters: async (...asked) => (await connected).openInterpreters(...asked),
  preparePackages: async (...asked) => (await connected).preparePackages(...asked),
  approve: async (...asked) => (await connected).approve(...asked),
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

addEventListener('pagehide', () => {
  void log.flush();
});

const kept = memory('localStorage');
const last = openLastFolder(memory('sessionStorage'), kept, base.pathname);
const connected: Promise<Connected> = afterPaint.then(({ connect, InterpreterSource }) => {
  const interpreters = new InterpreterSource({
    document,
    limits,
    snapshots,
    onStatus: (python, pythonStep) => {
      app.status.set({ python, pythonStep });
    },
  });
  interpreters.warm();
  return connect(app, {
    ...{ base, window, navigator, limits, interpreters, snapshots, last, report },
    database: storage.database,
    saveListing: storage.saveListing,
    ids: folderIds,
    loadPackages: () => import('./connect-packages.ts'),
    onStorageFailure,
  });
});
const known = {
  expected: last.get() !== null,
  ready: connected.then((found) => found.known),
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
    samples: async () => (await connected).samples(),
    known,
  };
  mountApp(target, app, folders, {
    site: connected.then(({ site }) => site),
    policy: connected.then(({ policy }) => policy),
    workspaces: connected.then(({ workspaces }) => workspaces),
    sessions: connectSessions,
    memory: kept,
  });
}

/** Sessions are a part of their own, fetched when they are first wanted; asked for again where that failed. */
async function connectSessions(): Promise<SessionsControl> {
  const { connectSessions: connectTo } = await import('./connect-sessions.ts');
  return connectTo(app, {
    ...{ base, window, limits, report, ids: folderIds, database: storage.database },
    ...{ onStorageFailure, memory: kept },
  });
}

// For the browser's console, and for benchmarks.
Object.assign(globalThis, { cloche: app });

void log.load().then(() => {
  // The page rereads the log with every change of status.
  app.status.set({});
});

/** Some settings of browsers make even the mention of storage throw. */
function memory(name: 'localStorage' | 'sessionStorage'): Storage | null {
  try {
    return window[name];
  } catch {
    return null;
  }
}
