/**
 * The service worker: relays requests of the virtual API to the page that answers them, and serves the builds that pages
 * have stored for offline use. It stores nothing, and works with pages of every build, so a new one can activate at once.
 */

import { hostsChanged, pageLockPrefix, workerLock } from '../../src/runtime/protocol/service.ts';
import { asFields } from '../../src/runtime/spec/guards.ts';
import { answerAppFrame, answerFile, answerNavigation, type Site } from './answer-navigation.ts';
import { PageFinder } from './find-page.ts';
import { relay, routeOf } from './relay.ts';
import { readSavedListing } from './saved-answer.ts';
import { StoredBuilds } from './stored-builds.ts';
import type { ServiceDeps, Watch } from './service-deps.ts';

declare const self: ServiceWorkerGlobalScope;

const { scope } = self.registration;
const base = new URL(scope).pathname;

const deps: ServiceDeps = {
  base,
  address: scope,
  lock: holdLock(workerLock(base, crypto.randomUUID())),
  async windows() {
    const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
    return windows.filter((window) => window.url.startsWith(scope));
  },
  async pageLocks() {
    const { held = [] } = await navigator.locks.query();
    return held.flatMap(({ name }) => (isPageLock(name) ? [name] : []));
  },
  watch,
  savedListing: () => readSavedListing(base),
  after,
};
const site: Site = {
  address: scope,
  stored: new StoredBuilds(self.caches, scope),
  fetch: (asked, init) =>
    typeof asked === 'string' ? fetch(asked, { redirect: 'error', ...init }) : fetch(asked),
  checks: new Map(),
  after,
};
const finder = new PageFinder(deps);

// The first visit has the API without a reload. A new worker does not wait for pages of older builds to close, since the
// wire and the stored formats are compatible between all versions.
self.addEventListener('install', () => void self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const route = routeOf(request, scope);
  switch (route?.to) {
    case undefined:
      return;
    case 'page': {
      const answered = answerNavigation(request, site);
      event.respondWith(answered);
      // The browser ends an idle worker, and with it a check of a build that goes on after the answer.
      event.waitUntil(answered.then(() => Promise.allSettled(site.checks.values())));
      return;
    }
    case 'file':
      event.respondWith(answerFile(request, site));
      return;
    case 'app':
      event.respondWith(answerAppFrame(route.query, site));
      return;
    case 'api': {
      const { response, done } = relay(request, route, finder, deps);
      event.respondWith(response);
      // Keeps the worker alive as long as the call runs.
      event.waitUntil(done);
    }
  }
});

self.addEventListener('message', ({ data }) => {
  if (asFields(data).type === hostsChanged.type) finder.hostsChanged();
});

function after(ms: number, then: () => void): () => void {
  const timer = setTimeout(then, ms);
  return () => clearTimeout(timer);
}

// Holds a lock until the browser ends the worker. Resolves when it is held.
function holdLock(name: string): Promise<string> {
  return new Promise((held) => {
    void navigator.locks.request(name, () => {
      held(name);
      return new Promise(() => {});
    });
  });
}

// A page holds its lock until it is closed or crashes.
function watch(lock: string): Watch {
  const stop = new AbortController();
  const gone = navigator.locks.request(
    lock,
    { mode: 'shared', signal: stop.signal },
    () => undefined,
  );
  return {
    gone: new Promise((resolve) => {
      gone.then(resolve, () => {
        // The watch was stopped.
      });
    }),
    stop: () => stop.abort(),
  };
}

// The part after the prefix contains no slash, because one base path may be the prefix of another.
function isPageLock(name: string | undefined): name is string {
  const prefix = pageLockPrefix(base);
  return name !== undefined && name.startsWith(prefix) && !name.slice(prefix.length).includes('/');
}
