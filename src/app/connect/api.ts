/** Makes this page answer the virtual API, if the browser has service workers. */

import { createApi } from '../../api/create-api.ts';
import { createListingKeeper } from '../../api/listing-keeper.ts';
import type { Listing } from '../../api/api-deps.ts';
import { after } from '../../async/after.ts';
import { wait } from '../../async/wait.ts';
import type { CallLog } from '../../call/call-log.ts';
import type { CallPath } from '../../call/call-path.ts';
import { ApiHost } from '../../platform/api-host.ts';
import { registerServiceWorker, type ServiceWorkerState } from '../../platform/service-worker.ts';
import type { ListingRecord } from '../../protocol/listing.ts';
import type { Registry } from '../../registry/registry.ts';
import type { SavedTests } from '../../saved-tests/saved-tests.ts';
import type { OpenSessions } from '../../session/open-sessions.ts';
import type { ExtensionView } from '../../extensions/extensions.ts';
import type { PlansControl } from '../app.ts';
import type { FolderLoader } from '../folder/folder-loader.ts';
import type { PageDeps } from '../page-deps.ts';
import type { StatusHolder } from '../status.ts';

export interface ApiDeps extends PageDeps {
  readonly registry: Registry;
  readonly calls: CallPath;
  readonly log: CallLog;
  readonly sessions: OpenSessions;
  readonly status: StatusHolder;
  readonly folder: Pick<FolderLoader, 'expecting' | 'settled'>;
  readonly tests: SavedTests;
  readonly extensions: () => Promise<readonly ExtensionView[]>;
  readonly plans: () => Promise<PlansControl>;
  readonly saveListing: (record: ListingRecord) => Promise<void>;
}

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
  const { base, window, framed, limits, registry, calls, log, sessions, status, folder } = deps;
  // Approvals would be asked for where nobody sees them, or the page around the frame hides them.
  if (framed)
    return {
      serviceWorker: { state: 'unavailable', reason: 'the page is in a frame of another site' },
      takeOver: () => undefined,
    };
  // Undefined in some private windows.
  const { locks, serviceWorker } = window.navigator as Partial<Navigator> &
    Pick<Navigator, 'locks'>;
  const clock = { after };
  const listing = (): Listing => {
    const { state, revision, problems } = registry;
    const isExpected = state === 'none' && folder.expecting;
    return {
      state: isExpected ? 'scanning' : state,
      folder: registry.folder,
      tools: registry.list(),
      ...{ revision, problems },
    };
  };
  const api = createApi({
    ...clock,
    listing,
    tool: (name) => registry.get(name),
    settled: (signal) => wait(signal, folder.settled()),
    selected: (session, tool) => {
      if (session !== '' && !sessions.has(session)) return 'unknown-session';
      return sessions.isSelected(session, tool) ? 'selected' : 'not-selected';
    },
    invoke: (signal, call, onStream) => calls.call(signal, call, { onStream }),
    isFull: () => calls.isFull,
    isRunning: (id) => calls.running.some((call) => call.id === id),
    cancel: (id) => calls.cancel(id),
    loggedCall: async (id) => {
      await log.loaded;
      return log.get(id);
    },
    keyedCall: async (key) => {
      await log.loaded;
      return log.keyed(key);
    },
    tests: deps.tests,
    extensions: deps.extensions,
    plans: deps.plans,
    limits,
    newId: () => crypto.randomUUID(),
  });
  const registered = await registerServiceWorker(serviceWorker, base);
  if (registered.state === 'unavailable' || !serviceWorker) {
    status.set({ api: 'unavailable' });
    return { serviceWorker: registered, takeOver: () => undefined };
  }
  const host = new ApiHost({
    base,
    locks,
    serviceWorkers: serviceWorker,
    handle: (request, path) => api.handle(request, path),
    newId: () => crypto.randomUUID(),
    onRole: (role) => {
      status.set({ api: role === 'idle' ? 'off' : role });
    },
    onTakeover: () => {
      api.stateWasLost();
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
  const follow = (): void => {
    if (registry.state === 'none') host.release();
    else host.claim();
    keeper.changed();
  };
  registry.observe(follow);
  follow();
  return {
    serviceWorker: registered,
    takeOver: () => {
      host.takeOver();
    },
  };
}
