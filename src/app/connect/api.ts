/** Makes this page answer the virtual API, if the browser has service workers. */

import { createApi } from '../api/create-api.ts';
import { createListingKeeper } from '../api/listing.ts';
import type { Listing, OpenedSession } from '../api/api-deps.ts';
import { runAfter } from '../../runtime/async/timers.ts';
import { coalesce } from '../../runtime/async/coalesce.ts';
import { wait } from '../../runtime/async/wait.ts';
import { ApiHost } from '../api/api-host.ts';
import { registerServiceWorker, type ServiceWorkerState } from '../offline/service-worker.ts';
import type { ListingRecord } from '../../runtime/protocol/listing.ts';
import type { Plans } from '../../agent/runner/plans.ts';
import type { SavedTests } from '../../agent/saved-tests/saved-tests.ts';
import type { ExtensionView } from '../../agent/extensions/extensions.ts';
import type { AllowedSites } from '../../runtime/grants/allowed-sites.ts';
import type { Questions } from '../../runtime/grants/questions.ts';
import { ToolError } from '../../runtime/spec/error.ts';
import type { Agent } from '../../agent/create-agent.ts';
import { newId, type PageDeps, type Parts } from '../page-deps.ts';

export interface ApiDeps
  extends
    PageDeps,
    Pick<
      Parts,
      'registry' | 'calls' | 'log' | 'openSessions' | 'status' | 'folder' | 'currentFolder'
    > {
  /** Resolves when the open folder has its id, if it can be stored. Never rejects. */
  readonly remembered: () => Promise<void>;
  /** Resolves when what Python starts from has been downloaded. Never rejects. */
  readonly downloaded: Promise<unknown>;
  readonly sites: AllowedSites;
  readonly questions: Questions;
  /** Loads the code of sessions on first use. */
  readonly agent: () => Promise<Agent>;
  /** Loads the code of plans on first use. */
  readonly plans: () => Promise<Plans>;
  readonly tests: SavedTests;
  readonly extensions: () => Promise<readonly ExtensionView[]>;
  readonly saveListing: (record: ListingRecord) => Promise<void>;
}

/** A page that was used at most this long ago counts as in use, for requests that name no folder; milliseconds. */
const useMs = 200;

export interface ApiConnection {
  readonly serviceWorker: ServiceWorkerState;
  /** Makes this page answer the API instead of the page that does so now. Does nothing without a service worker. */
  takeOver(): void;
}

/**
 * Registers the service worker and answers its requests. Never rejects: without a service worker, the status
 * says that the API is unavailable.
 */
export async function connectApi(deps: ApiDeps): Promise<ApiConnection> {
  const { base, window, framed, limits, registry, calls, log, openSessions, status, folder } = deps;
  // In a frame, the user might not see the questions about calls, or the page around the frame could hide them.
  if (framed) {
    status.set({ api: 'off' });
    return {
      serviceWorker: { state: 'unavailable', reason: 'the page is in a frame of another site' },
      takeOver: () => undefined,
    };
  }
  // Undefined in some private windows.
  const { locks, serviceWorker } = window.navigator as Partial<Navigator> &
    Pick<Navigator, 'locks'>;
  const clock = { after: runAfter, now: () => Date.now() };
  /** Stands for the id of a folder that cannot be stored. */
  const ownFolderId = `page-${crypto.randomUUID()}`;
  const folderId = (): string =>
    registry.folder === null ? '' : (deps.currentFolder.id ?? ownFolderId);
  const listing = (): Listing => {
    const { state, revision, problems } = registry;
    const isExpected = state === 'none' && folder.expecting;
    return {
      state: isExpected ? 'scanning' : state,
      folder: registry.folder,
      folderId: folderId(),
      tools: registry.list(),
      revision,
      problems,
    };
  };
  const api = createApi({
    ...clock,
    listing,
    tool: (name) => registry.get(name),
    settled: (signal) => wait(signal, folder.settled()),
    observeListing: (then) => registry.observe(then),
    questions: deps.questions,
    openSession: (id) => openSession(id, deps),
    isSelected: (session, tool) => openSessions.isSelected(session, tool),
    sessionHeads: async () => {
      const { stored } = await deps.agent();
      await stored.loaded;
      return stored.list();
    },
    isOpen: (session) => openSessions.has(session),
    sites: deps.sites,
    path: calls,
    log: async () => {
      await log.loaded;
      return log;
    },
    tests: deps.tests,
    extensions: deps.extensions,
    plans: deps.plans,
    limits,
    newId,
  });
  // On a first visit, the worker would fetch itself and answer for files that the page downloads without it.
  if (!serviceWorker?.controller) await deps.downloaded;
  const registered = await registerServiceWorker(serviceWorker, base);
  if (registered.state === 'unavailable' || !serviceWorker) {
    status.set({ api: 'unavailable' });
    return { serviceWorker: registered, takeOver: () => undefined };
  }
  const host = new ApiHost({
    base,
    locks,
    serviceWorkers: deps.tap.watch('service worker', serviceWorker),
    handle: (request, path) => api.handle(request, path),
    now: clock.now,
    newId,
    onRole: (role) => status.set({ api: role === 'idle' ? 'off' : role }),
    onTakeover: () => {
      api.noteLostState();
      // Load the calls that the other page has logged, so that they can be requested here.
      void log.load();
    },
  });
  const keeper = createListingKeeper({
    ...clock,
    listing,
    isHost: () => host.role === 'host',
    save: deps.saveListing,
    onFailure: deps.onStorageFailure,
  });
  const claim = (): void => {
    // Only these two members are read, not the whole listing, because this runs for each file of a
    // scan.
    const { folder: name, state } = registry;
    if (state !== 'none' && name !== null) host.claim({ id: folderId(), name });
  };
  const follow = (): void => {
    if (registry.state === 'none') host.release();
    // Pages with the same folder must know that they have.
    else void deps.remembered().then(claim);
    keeper.changed();
  };
  const use = coalesce(() => host.use(), useMs);
  for (const type of ['focus', 'pointerdown', 'keydown'])
    window.addEventListener(type, use, { capture: true, passive: true });
  // A revoked origin keeps nothing.
  deps.sites.observe(() => {
    for (const { id, site } of calls.running)
      if (site !== undefined && !deps.sites.isAllowed(site)) calls.cancel(id);
  });
  registry.observe(follow);
  follow();
  return {
    serviceWorker: registered,
    takeOver: () => host.takeOver(),
  };
}

async function openSession(
  id: string,
  { openSessions, agent }: Pick<ApiDeps, 'openSessions' | 'agent'>,
): Promise<OpenedSession> {
  const { stored, liveSessions } = await agent();
  await stored.loaded;
  const head = stored.list().find((one) => one.id === id);
  // A session that is not stored yet, or that only exists while its tests run.
  if (head === undefined)
    return openSessions.has(id) ? { at: 'open', release: () => undefined } : { at: 'unknown' };
  if (!liveSessions.hasFolderOf(head)) return { at: 'other-folder', folder: head.folder };
  try {
    await liveSessions.open(id);
  } catch (thrown) {
    if (thrown instanceof ToolError && thrown.code === 'not-found') return { at: 'unknown' };
    throw thrown;
  }
  return {
    at: 'open',
    release: () => liveSessions.release(id),
  };
}
