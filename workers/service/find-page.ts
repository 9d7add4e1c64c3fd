/** Finds the app page that answers API requests, by asking all windows at once, and remembers it while it is the host. */

import { pageLockPrefix, parsePageMessage, type Role } from '../../src/protocol/service.ts';
import { AppPage } from './app-page.ts';
import type { OpenWindow, ServiceDeps, Watch } from './service-deps.ts';

/** `silent`: there are app pages, but none answered in time. */
export type Found = AppPage | 'no-page' | 'silent';

const searchMs = 10_000;

/**
 * Finds the host, or any app page if none has a folder open. Waits for a standby page, which becomes host as soon as
 * the current host closes. Ends after ten seconds.
 */
export async function findPage(deps: ServiceDeps): Promise<Found> {
  const [windows, pageLocks, ownLock] = await Promise.all([
    deps.windows(),
    deps.pageLocks(),
    deps.lock,
  ]);
  if (pageLocks.length === 0) return 'no-page';
  return new Promise((resolve) => {
    const search = new Search(deps, pageLocks, resolve);
    for (const window of windows) search.ask(window, ownLock);
  });
}

/** Remembers the host. The memory ends with the service worker, which browsers end when it is idle. */
export class PageFinder {
  readonly #deps: ServiceDeps;
  #page: AppPage | undefined;
  #search: Promise<Found> | undefined;

  constructor(deps: ServiceDeps) {
    this.#deps = deps;
  }

  async find(): Promise<Found> {
    if (this.#page?.role === 'host') return this.#page;
    this.#search ??= this.#searchAgain();
    return this.#search;
  }

  /** Forgets a page that did not answer, so that the next request searches again. */
  forget(page: AppPage): void {
    if (this.#page === page) this.#page = undefined;
    page.retire();
  }

  async #searchAgain(): Promise<Found> {
    try {
      const found = await findPage(this.#deps);
      this.#page?.retire();
      this.#page = typeof found === 'string' ? undefined : found;
      return found;
    } finally {
      this.#search = undefined;
    }
  }
}

class Search {
  readonly #deps: ServiceDeps;
  readonly #resolve: (found: Found) => void;
  /** For every open page, whether it has answered or not. */
  readonly #watches = new Map<string, Watch>();
  readonly #candidates = new Map<string, AppPage>();
  readonly #unanswered: MessagePort[] = [];
  readonly #cancelDeadline: () => void;
  #over = false;

  constructor(deps: ServiceDeps, pageLocks: readonly string[], resolve: (found: Found) => void) {
    this.#deps = deps;
    this.#resolve = resolve;
    this.#cancelDeadline = deps.after(searchMs, () => this.#end(this.#anyPage() ?? 'silent'));
    for (const lock of pageLocks) this.#watch(lock);
  }

  ask(window: OpenWindow, ownLock: string): void {
    const { port1, port2 } = new MessageChannel();
    this.#unanswered.push(port1);
    port1.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      const message = parsePageMessage(data);
      if (message?.type === 'role') this.#onRole(port1, message.lock, message.role);
    });
    port1.start();
    window.postMessage({ type: 'cloche-who', base: this.#deps.base, lock: ownLock }, [port2]);
  }

  #onRole(port: MessagePort, lock: string, role: Role): void {
    if (this.#over || !lock.startsWith(pageLockPrefix(this.#deps.base))) return;
    const known = this.#candidates.get(lock);
    if (known !== undefined) {
      known.role = role;
    } else {
      this.#unanswered.splice(this.#unanswered.indexOf(port), 1);
      this.#candidates.set(lock, new AppPage(port, role, this.#watch(lock), this.#deps));
    }
    this.#decide();
  }

  #watch(lock: string): Watch {
    const known = this.#watches.get(lock);
    if (known !== undefined) return known;
    const watch = this.#deps.watch(lock);
    this.#watches.set(lock, watch);
    void watch.gone.then(() => {
      if (this.#over) return;
      this.#watches.delete(lock);
      this.#candidates.delete(lock);
      this.#decide();
    });
    return watch;
  }

  #decide(): void {
    const pages = [...this.#candidates.values()];
    const host = pages.find((page) => page.role === 'host');
    if (host !== undefined) return this.#end(host);
    const waiting =
      this.#candidates.size < this.#watches.size || pages.some((page) => page.role === 'standby');
    if (!waiting) this.#end(this.#anyPage() ?? 'no-page');
  }

  #anyPage(): AppPage | undefined {
    return [...this.#candidates.values()].find((page) => page.role === 'idle');
  }

  #end(found: Found): void {
    if (this.#over) return;
    this.#over = true;
    this.#cancelDeadline();
    for (const port of this.#unanswered) port.close();
    for (const [lock, watch] of this.#watches) {
      const candidate = this.#candidates.get(lock);
      if (candidate === undefined) watch.stop();
      else if (candidate !== found) candidate.retire();
    }
    this.#resolve(found);
  }
}
