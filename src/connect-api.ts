/** Puts the virtual API in front of the app, where the browser has service workers. */

import { createApi } from './api/create-api.ts';
import { createListingKeeper } from './api/listing-keeper.ts';
import type { Listing } from './api/effects.ts';
import type { ClocheApp } from './app.ts';
import { wait } from './async/wait.ts';
import { ApiHost } from './platform/api-host.ts';
import { registerServiceWorker, type ServiceWorkerState } from './platform/service-worker.ts';
import type { ListingRecord } from './protocol/listing.ts';
import type { Limits } from './spec/limits.ts';

export interface ApiHands {
  /** Address of the app, with a slash at the end. */
  readonly base: URL;
  readonly navigator: Pick<Navigator, 'locks'> & {
    readonly serviceWorker?: ServiceWorkerContainer;
  };
  readonly limits: Limits;
  saveListing(record: ListingRecord): Promise<void>;
  onStorageFailure(thrown: unknown): void;
}

export interface ApiConnection {
  readonly serviceWorker: ServiceWorkerState;
  /** Answers for the API in place of the page that does; nothing where none does. */
  takeOver(): void;
}

/** Never rejects: what is missing is told in the app's status. */
export async function connectApi(app: ClocheApp, hands: ApiHands): Promise<ApiConnection> {
  const { base, navigator, limits } = hands;
  const { serviceWorker, locks } = navigator;
  const clock = { after };
  const listing = (): Listing => {
    const { state, folder, revision, problems } = app.registry;
    const soon = state === 'none' && app.expecting;
    return {
      state: soon ? 'scanning' : state,
      folder,
      revision,
      problems,
      tools: app.registry.list(),
    };
  };
  const api = createApi({
    ...clock,
    listing,
    tool: (name) => app.registry.get(name),
    settled: (signal) => wait(signal, app.settled()),
    selected: (session, tool) => {
      if (session !== '' && !app.sessions.has(session)) return 'unknown-session';
      return app.sessions.isSelected(session, tool) ? 'selected' : 'not-selected';
    },
    invoke: (signal, call, onStream) => app.calls.call(signal, call, { onStream }),
    isRunning: (id) => app.calls.running.some((call) => call.id === id),
    cancel: (id) => app.calls.cancel(id),
    loggedCall: async (id) => {
      await app.log.loaded;
      return app.log.get(id);
    },
    keyedCall: async (key) => {
      await app.log.loaded;
      return app.log.keyed(key);
    },
    limits,
    newId: () => crypto.randomUUID(),
  });
  const registered = await registerServiceWorker(serviceWorker, base);
  if (registered.state === 'unavailable' || !serviceWorker) {
    app.status.set({ api: 'unavailable' });
    return { serviceWorker: registered, takeOver: () => undefined };
  }
  const host = new ApiHost({
    base,
    locks,
    serviceWorkers: serviceWorker,
    handle: (request, path) => api.handle(request, path),
    newId: () => crypto.randomUUID(),
    onRole: (role) => {
      app.status.set({ api: role === 'idle' ? 'off' : role });
    },
    onTakeover: () => {
      api.stateWasLost();
      // What that page has logged can be asked for here from now on.
      void app.log.load();
    },
  });
  const keeper = createListingKeeper({
    ...clock,
    listing,
    isHost: () => host.role === 'host',
    save: (record) => hands.saveListing(record),
    onFailure: (thrown) => {
      hands.onStorageFailure(thrown);
    },
  });
  const follow = (): void => {
    if (app.registry.state === 'none') host.release();
    else host.claim();
    keeper.changed();
  };
  app.registry.observe(follow);
  follow();
  return {
    serviceWorker: registered,
    takeOver: () => {
      host.takeOver();
    },
  };
}

function after(ms: number, then: () => void): () => void {
  const timer = setTimeout(then, ms);
  return () => {
    clearTimeout(timer);
  };
}
