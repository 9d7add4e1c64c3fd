/**
 * Composes what the page needs for its first paint. The rest is imported later: compose-late.ts after the first paint,
 * agent/create-agent.ts when sessions are first wanted.
 */

import { runAfter } from '../runtime/async/timers.ts';
import { lazy } from '../runtime/async/late-value.ts';
import { CallLog, type CallStore } from '../runtime/call/call-log.ts';
import { connectCalls } from '../runtime/connect/calls.ts';
import type { FolderSource } from '../runtime/folder/source.ts';
import * as folderSources from '../runtime/open-folder/folder-sources.ts';
import { isFramedByOther } from './framed.ts';
import { openLastFolder } from '../runtime/open-folder/last-folder.ts';
import { openPages } from '../runtime/call/open-pages.ts';
import type { SandboxFiles } from '../runtime/sandbox/assets.ts';
import { noTap } from '../runtime/protocol/message-tap.ts';
import { OpenSessions } from '../agent/session/open-sessions.ts';
import { isModel } from '../runtime/spec/call.ts';
import { errorText, notInFrame, ToolError } from '../runtime/spec/error.ts';
import type { ToolDefinition } from '../runtime/spec/model.ts';
import type { App, Controls } from './app.ts';
import { ChosenLimits } from './chosen-limits.ts';
import type { PageDeps } from './page-deps.ts';
import { StatusHolder } from '../runtime/open-folder/status.ts';
import { initialStatus } from './status.ts';

/** The app and its controls, for the page. */
export interface Composed {
  readonly app: App;
  /** Whether a page of another origin frames this one. */
  readonly framed: boolean;
  readonly controls: Controls;
  /** Null if the browser refuses storage. */
  readonly memory: Storage | null;
}

/** @param painted resolves after the first paint @param tap logs messages in debug mode */
export function compose(base: URL, window: Window, painted: Promise<void>, tap = noTap): Composed {
  const { document } = window;
  const framed = isFramedByOther(window);
  const report = (thrown: unknown): void => reportError(thrown);
  const memory = framed ? null : openStorage(window, 'localStorage');
  const chosen = new ChosenLimits(memory);
  const limits = chosen.current;
  const status = new StatusHolder(initialStatus, report);
  const onStorageFailure = (thrown: unknown): void => {
    if (!framed) status.set({ storage: String(thrown) });
  };
  const page: Omit<PageDeps, 'database'> = {
    base,
    window,
    framed,
    limits,
    tap,
    report,
    onStorageFailure,
    // Undefined if the page was loaded over plain HTTP.
    storage: framed ? undefined : (window.navigator as Partial<Navigator>).storage,
  };

  const folderIds = new WeakMap<FolderSource, string>();
  const ofTab = framed ? null : openStorage(window, 'sessionStorage');
  const last = openLastFolder(ofTab, memory, base.pathname);
  const fetchFiles = async (): Promise<SandboxFiles> => {
    const { SandboxFiles } = await expectLoaded(import('../runtime/sandbox/assets.ts'));
    const files = new SandboxFiles(base.href, undefined, tap);
    files.fetch();
    return files;
  };
  // Python's files are requested before the first paint, which no longer waits for the network.
  const fetched = fetchFiles();
  // All late parts share one promise: if their code cannot be loaded, all are missing, rather than half of the app.
  const late = painted.then(async () => {
    const [files, { composeLate }] = await Promise.all([
      fetched,
      expectLoaded(import('./compose-late.ts')),
    ]);
    return composeLate({
      ...page,
      status,
      currentFolder,
      folderIds,
      openSessions,
      last,
      memory,
      files,
    });
  });
  // A failure is reported by the code that waits for it.
  fetched.catch(() => undefined);
  late.catch((thrown: unknown) => status.set({ python: 'failed', pythonStep: errorText(thrown) }));

  const log = new CallLog({
    store: lateStore(late.then(({ stores }) => stores.calls)),
    // The service worker would wait for the answer of a page with this lock.
    pages: framed ? null : openPages(window.navigator.locks, base.pathname, crypto.randomUUID()),
    after: runAfter,
    limits,
    onStorageFailure,
    report,
  });
  window.addEventListener('pagehide', () => {
    // @mutant calls in a row are written before the page goes => removed [app tests/lost-page.test.ts calls that
    //   ended just before their page was reloaded are in the log]
    void log.flush();
  });

  const parts = connectCalls({
    document,
    status,
    limits,
    folderIds,
    report,
    selected: ({ caller, sessionId, tool }, { origin }) =>
      // Built-in tools are offered only to models and, for programs, to the user; they are not part of any selection.
      origin === 'built-in'
        ? isModel(caller) || caller === 'user'
        : openSessions.isSelected(sessionId, tool),
    // A click in a frame may have been meant for the page around it.
    isApproved: ({ caller }) => caller === 'user' && !framed,
    approve: async (...asked) => (await late).approve(...asked),
    outputMask: async () => (await late).outputMask(),
    begin: (...begun) => log.beginEntry(...begun),
    openInterpreters: async (...asked) => (await late).openInterpreters(...asked),
    preparePackages: async (...asked) => (await late).preparePackages(...asked),
  });
  const { registry, calls, interceptors, interpreters, currentFolder, folder: loader } = parts;
  const openSessions = new OpenSessions((id) => interpreters.current?.endSession(id));
  const app = {
    registry,
    calls,
    log,
    status,
    interpreters,
    interceptors,
    sessions: openSessions,
    folder: loader,
    argumentChecking: async () => (await late).argumentChecker(),
    toolConversions: async (signal: AbortSignal, tool: ToolDefinition) =>
      (await late).toolConversions(signal, tool),
  };

  const sessions = lazy(async () => {
    if (framed) throw notInFrame('Sessions cannot be used in a frame of another site.');
    const { createAgent } = await import('../agent/create-agent.ts');
    return (await late).openAgent((shared) =>
      createAgent({ ...page, ...app, ...shared, currentFolder, openSessions, memory }),
    );
  });
  const attached = late.then((parts) => parts.attach({ ...app, agent: sessions }));
  const known = {
    expected: last.get() !== null,
    ready: attached.then(({ reopened }) => reopened),
  };
  if (known.expected) loader.expect(known.ready);

  return {
    app,
    framed,
    controls: {
      limits: chosen,
      folders: {
        canPick: folderSources.canPickFolder(),
        pick: folderSources.pickFolder,
        dropped: (data) => folderSources.droppedFolder(data, limits),
        zipped: (file) => folderSources.zippedFolder(file, limits),
        fetched: async (...asked) => (await late).fetched(...asked),
        subfolder: async (...asked) => (await late).subfolder(...asked),
        uploaded: folderSources.uploadedFolder,
        samples: async () => (await late).samples(),
        known,
      },
      site: attached.then(({ site }) => site),
      policy: late.then(({ policy }) => policy),
      workspaces: late.then(({ workspaces }) => workspaces),
      tests: attached.then(({ tests }) => tests),
      sessions,
      editing: async () => (await attached).editing(),
      extensions: async () => (await attached).extensions(),
      plans: async () => (await attached).plans(),
      evals: async () => (await attached).evals(),
      servers: async () => (await attached).servers(),
      imports: async () => (await attached).imports(),
    },
    memory,
  };
}

/** The store of calls, whose code is loaded late. */
function lateStore(store: Promise<CallStore>): CallStore {
  // Each use reports the failure.
  store.catch(() => undefined);
  return {
    load: async (onCall) => (await store).load(onCall),
    write: async (...calls) => (await store).write(...calls),
    clear: async () => (await store).clear(),
    begin: async (calls) => (await store).begin(calls),
    begun: async () => (await store).begun(),
  };
}

async function expectLoaded<Module>(code: Promise<Module>): Promise<Module> {
  try {
    return await code;
  } catch (thrown) {
    throw new ToolError(
      'storage',
      `A part of Cloche could not be loaded: ${errorText(thrown)}`,
      'Check your connection, then reload the page.',
    );
  }
}

/** Returns null if access is denied: with some browser settings, even reading the property throws. */
function openStorage(window: Window, name: 'localStorage' | 'sessionStorage'): Storage | null {
  try {
    return window[name];
  } catch {
    return null;
  }
}
