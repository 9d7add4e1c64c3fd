/**
 * Composes what the page needs for its first paint. The rest is imported later: compose-late.ts after the first paint,
 * connect/sessions.ts when sessions are first wanted.
 */

import { after } from '../async/after.ts';
import { lazy } from '../async/lazy.ts';
import { CallLog } from '../call/call-log.ts';
import { CallPath } from '../call/call-path.ts';
import { CallInterceptors } from '../call/interceptors.ts';
import type { FolderSource } from '../folder/source.ts';
import { openStorage } from '../platform/call-store.ts';
import * as folderSources from '../platform/folder-sources.ts';
import { openLastFolder } from '../platform/last-folder.ts';
import { openPages } from '../platform/open-pages.ts';
import { Registry } from '../registry/registry.ts';
import { OpenSessions } from '../session/open-sessions.ts';
import { errorText, ToolError } from '../spec/error.ts';
import { defaultLimits as limits } from '../spec/limits.ts';
import type {
  App,
  FolderChoices,
  PolicyControl,
  SessionsControl,
  SiteControl,
  WorkspaceControl,
} from './app.ts';
import type * as Late from './compose-late.ts';
import { CurrentFolder } from './folder/current-folder.ts';
import { CurrentInterpreters } from './folder/folder-interpreters.ts';
import { FolderLoader } from './folder/folder-loader.ts';
import type { PageDeps } from './page-deps.ts';
import { StatusHolder } from './status.ts';

/** What the page gets. Parts that load after the first paint are promises. */
export interface Composed {
  readonly app: App;
  readonly folders: FolderChoices;
  readonly site: Promise<SiteControl>;
  readonly policy: Promise<PolicyControl>;
  readonly workspaces: Promise<WorkspaceControl>;
  /** Loads the code of sessions on first use. */
  readonly sessions: () => Promise<SessionsControl>;
  /** Null if the browser refuses storage. */
  readonly memory: Storage | null;
}

/** @param painted resolves after the first paint */
export function compose(base: URL, window: Window, painted: Promise<void>): Composed {
  const { document } = window;
  const report = (thrown: unknown): void => {
    reportError(thrown);
  };
  const status = new StatusHolder(report);
  const stores = openStorage(base.pathname);
  const onStorageFailure = (thrown: unknown): void => {
    status.set({ storage: String(thrown) });
  };
  const page: PageDeps = {
    ...{ base, window, limits, report, onStorageFailure },
    database: stores.database,
    // Undefined if the page was loaded over plain HTTP.
    storage: (window.navigator as Partial<Navigator>).storage,
  };

  const folderIds = new WeakMap<FolderSource, string>();
  const currentFolder = new CurrentFolder(folderIds);
  const interpreters = new CurrentInterpreters(report);
  const registry = new Registry(interpreters.dispatch, report);
  const interceptors = new CallInterceptors(limits);
  const openSessions = new OpenSessions((id) => interpreters.current?.endSession(id));
  const log = new CallLog({
    store: stores.calls,
    pages: openPages(window.navigator.locks, base.pathname, crypto.randomUUID()),
    ...{ after, limits, onStorageFailure, report },
  });
  window.addEventListener('pagehide', () => {
    void log.flush();
  });

  const memory = stored(window, 'localStorage');
  const last = openLastFolder(stored(window, 'sessionStorage'), memory, base.pathname);
  // One promise: if the chunk cannot be loaded, everything in it is missing, rather than half of the app.
  const late = painted
    .then(importLate)
    .then(({ composeLate }) =>
      composeLate({ ...page, status, currentFolder, folderIds, openSessions, last }),
    );
  late.catch((thrown: unknown) => {
    status.set({ python: 'failed', pythonStep: errorText(thrown) });
  });

  const calls = new CallPath({
    lookup: (name) => registry.lookup(name),
    selected: ({ caller, sessionId, tool }, { origin }) =>
      // Built-in tools are offered only to models; they are not part of any selection.
      origin === 'built-in' ? caller === 'model' : openSessions.isSelected(sessionId, tool),
    interceptors,
    approve: async (...asked) => (await late).approve(...asked),
    begin: (call, at) => log.beginEntry(call, at, currentFolder.logged),
    now: () => Date.now(),
    ...{ limits, report },
  });
  const loader = new FolderLoader({
    ...{ status, currentFolder, interpreters, registry, calls, after, limits, report },
    idOf: (source) => folderIds.get(source),
    openInterpreters: async (...asked) => (await late).openInterpreters(...asked),
    preparePackages: async (...asked) => (await late).preparePackages(...asked),
    visible: {
      now: () => document.visibilityState === 'visible',
      observe: (listener) => {
        document.addEventListener('visibilitychange', listener);
        return () => {
          document.removeEventListener('visibilitychange', listener);
        };
      },
    },
    now: () => Date.now(),
  });
  const app = {
    ...{ registry, calls, log, status, interpreters, interceptors },
    ...{ sessions: openSessions, folder: loader },
  };

  const attached = late.then((parts) => parts.attach({ ...app, saveListing: stores.saveListing }));
  const known = {
    expected: last.get() !== null,
    ready: attached.then(({ reopened }) => reopened),
  };
  if (known.expected) loader.expect(known.ready);

  return {
    app,
    folders: {
      canPick: folderSources.canPickFolder(),
      pick: folderSources.pickFolder,
      dropped: (data) => folderSources.droppedFolder(data, limits),
      zipped: (file) => folderSources.zippedFolder(file, limits),
      uploaded: folderSources.uploadedFolder,
      samples: async () => (await late).samples(),
      known,
    },
    site: attached.then(({ site }) => site),
    policy: late.then(({ policy }) => policy),
    workspaces: late.then(({ workspaces }) => workspaces),
    sessions: lazy(async () => {
      const { connectSessions } = await import('./connect/sessions.ts');
      return connectSessions({ ...page, ...app, currentFolder, memory });
    }),
    memory,
  };
}

async function importLate(): Promise<typeof Late> {
  try {
    return await import('./compose-late.ts');
  } catch (thrown) {
    throw new ToolError(
      'storage',
      `A part of Cloche could not be loaded: ${errorText(thrown)}`,
      'Check your connection, then reload the page.',
    );
  }
}

/** Returns null if access is denied: with some browser settings, even reading the property throws. */
function stored(window: Window, name: 'localStorage' | 'sessionStorage'): Storage | null {
  try {
    return window[name];
  } catch {
    return null;
  }
}
