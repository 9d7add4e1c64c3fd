/** Finds the app page that answers an API request, by asking all windows at once, and remembers the hosts. */

import {
  pageLockPrefix,
  parsePageMessage,
  type ApiFolder,
} from '../../src/runtime/protocol/service.ts';
import { AppPage } from './app-page.ts';
import type { NoFolderPage } from './refusals.ts';
import type { OpenWindow, ServiceDeps, Watch } from './service-deps.ts';

/** `silent`: there are app pages, but none answered in time. */
export type Found = AppPage | NoFolderPage | 'no-page' | 'silent';

const searchMs = 10_000;
/** Time that other pages may take to answer once a host has; one of them may have been used later. */
const othersMs = 300;

/** Remembers the hosts. The memory ends with the service worker, which browsers end when it is idle. */
export class PageFinder {
  readonly #deps: ServiceDeps;
  /** Pages by their locks. */
  readonly #pages = new Map<string, AppPage>();
  /** Running searches, by the folder that is wanted; empty for any. */
  readonly #searches = new Map<string, Promise<Found>>();
  /** Whether `#pages` has all hosts: a search has begun since a host was last added or lost. */
  #knowsHosts = false;

  constructor(deps: ServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Finds the host of a folder.
   *
   * @param folder its id, or its name; null for the one that was used last, or any app page if none has a folder open
   */
  async find(folder: string | null): Promise<Found> {
    const hosts = latestHosts([...this.#pages.values()]);
    const known = this.#knowsHosts ? chosen(hosts, folder) : 'no-page';
    if (known instanceof AppPage) return known;
    const key = folder ?? '';
    const search = this.#searches.get(key) ?? this.#searchAgain(folder);
    this.#searches.set(key, search);
    return search;
  }

  /** The folders that known pages host, the one that was used last first. */
  get folders(): readonly ApiFolder[] {
    return foldersOf(latestHosts([...this.#pages.values()]));
  }

  /** Call this when a page has become host: the next request searches again. */
  hostsChanged(): void {
    this.#knowsHosts = false;
  }

  /** Forgets a page that did not answer, so that the next request searches again. */
  forget(page: AppPage): void {
    if (this.#pages.get(page.lock) === page) this.#pages.delete(page.lock);
    this.#knowsHosts = false;
    page.retire();
  }

  async #searchAgain(folder: string | null): Promise<Found> {
    this.#knowsHosts = true;
    try {
      const { pages, isSilent } = await findPages(this.#deps, folder);
      for (const page of pages) {
        this.#pages.get(page.lock)?.retire();
        if (page.role === 'host') this.#pages.set(page.lock, page);
        else this.#pages.delete(page.lock);
      }
      const found = chosen(pages, folder);
      for (const page of pages) if (page.role !== 'host' && page !== found) page.retire();
      return !(found instanceof AppPage) && isSilent ? 'silent' : found;
    } finally {
      this.#searches.delete(folder ?? '');
    }
  }
}

/** The page that answers for a folder. */
function chosen(pages: readonly AppPage[], folder: string | null): Exclude<Found, 'silent'> {
  const hosts = latestHosts(pages);
  const [latest] = hosts;
  if (folder === null) return latest ?? pages.find(({ role }) => role === 'idle') ?? 'no-page';
  if (pages.length === 0) return 'no-page';
  const byId = hosts.find(({ introduction }) => introduction.folder?.id === folder);
  if (byId !== undefined) return byId;
  const byName = hosts.filter(({ introduction }) => introduction.folder?.name === folder);
  const [only, another] = byName;
  if (only !== undefined && another === undefined) return only;
  return { hosted: foldersOf(hosts), named: foldersOf(byName) };
}

/** The hosts, the one that was used last first. */
function latestHosts(pages: readonly AppPage[]): AppPage[] {
  return pages
    .filter(({ role }) => role === 'host')
    .sort((one, other) => usedAt(other) - usedAt(one));
}

function usedAt({ introduction }: AppPage): number {
  return introduction.usedAt ?? 0;
}

function foldersOf(pages: readonly AppPage[]): ApiFolder[] {
  return pages.flatMap(({ introduction: { folder } }) => (folder === undefined ? [] : [folder]));
}

/** All pages that answer. */
interface FoundPages {
  readonly pages: readonly AppPage[];
  /** Whether the search ended before all pages had answered. */
  readonly isSilent: boolean;
}

/**
 * Asks all windows. Waits for a standby page of the folder, which becomes host as soon as the current host closes. Ends
 * after ten seconds.
 */
async function findPages(deps: ServiceDeps, folder: string | null): Promise<FoundPages> {
  const [windows, pageLocks, ownLock] = await Promise.all([
    deps.windows(),
    deps.pageLocks(),
    deps.lock,
  ]);
  if (pageLocks.length === 0) return { pages: [], isSilent: false };
  return new Promise((resolve) => {
    const search = new Search(deps, folder, pageLocks, resolve);
    for (const window of windows) search.ask(window, ownLock);
  });
}

/** One search: it asks windows, and ends when enough pages have answered. */
class Search {
  readonly #deps: ServiceDeps;
  readonly #folder: string | null;
  readonly #resolve: (found: FoundPages) => void;
  /** The watch of each open page, whether the page has answered or not. */
  readonly #watches = new Map<string, Watch>();
  readonly #candidates = new Map<string, AppPage>();
  readonly #unanswered: MessagePort[] = [];
  readonly #cancelDeadline: () => void;
  #cancelOthers: (() => void) | undefined;
  #over = false;

  constructor(
    deps: ServiceDeps,
    folder: string | null,
    pageLocks: readonly string[],
    resolve: (found: FoundPages) => void,
  ) {
    this.#deps = deps;
    this.#folder = folder;
    this.#resolve = resolve;
    this.#cancelDeadline = deps.after(searchMs, () => this.#end({ isSilent: true }));
    for (const lock of pageLocks) this.#watch(lock);
  }

  ask(window: OpenWindow, ownLock: string): void {
    const { port1, port2 } = new MessageChannel();
    this.#unanswered.push(port1);
    port1.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      const message = parsePageMessage(data);
      if (message?.type === 'role') this.#onRole(port1, message);
    });
    port1.start();
    window.postMessage({ type: 'cloche-who', base: this.#deps.base, lock: ownLock }, [port2]);
  }

  #onRole(port: MessagePort, introduction: AppPage['introduction']): void {
    const { lock } = introduction;
    if (this.#over || !lock.startsWith(pageLockPrefix(this.#deps.base))) return;
    const known = this.#candidates.get(lock);
    if (known !== undefined) {
      known.introduction = introduction;
    } else {
      this.#unanswered.splice(this.#unanswered.indexOf(port), 1);
      this.#candidates.set(lock, new AppPage(port, introduction, this.#watch(lock), this.#deps));
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
    const haveAllAnswered = this.#candidates.size >= this.#watches.size;
    const found = chosen(pages, this.#folder);
    if (found instanceof AppPage && found.role === 'host') {
      if (haveAllAnswered) this.#end({ isSilent: false });
      else this.#cancelOthers ??= this.#deps.after(othersMs, () => this.#end({ isSilent: false }));
      return;
    }
    const mayBecomeHost = ({ role, introduction: { folder } }: AppPage): boolean =>
      role === 'standby' && [folder?.id, folder?.name, null].includes(this.#folder);
    if (haveAllAnswered && !pages.some(mayBecomeHost)) this.#end({ isSilent: false });
  }

  #end({ isSilent }: { isSilent: boolean }): void {
    if (this.#over) return;
    this.#over = true;
    this.#cancelDeadline();
    this.#cancelOthers?.();
    for (const port of this.#unanswered) port.close();
    for (const [lock, watch] of this.#watches) if (!this.#candidates.has(lock)) watch.stop();
    this.#resolve({ pages: [...this.#candidates.values()], isSilent });
  }
}
