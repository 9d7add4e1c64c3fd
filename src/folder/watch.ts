/** Watches an opened folder: by what the browser tells of it, else by looking again and again while the page is visible. */

import { widen, type RereadScope } from './known-files.ts';
import type { ChangeNotice, FolderSource } from './source.ts';

export type WatchState =
  | { readonly at: 'off' }
  /** The files cannot be read again: what is open is a copy. */
  | { readonly at: 'unwatched' }
  | { readonly at: 'observing' }
  | { readonly at: 'polling'; readonly everyMs: number };

export interface WatchDeps {
  readonly source: FolderSource;
  /** Reads the folder again as far as told, and takes what has changed. @returns milliseconds of reading. Never rejects. */
  readonly reread: (scope: RereadScope) => Promise<number>;
  readonly tell: (state: WatchState) => void;
  /** The page can be seen; the listener hears when it can be again. */
  readonly visible: {
    now(): boolean;
    observe(listener: () => void): () => void;
  };
  readonly after: (ms: number, then: () => void) => () => void;
  readonly now: () => number;
}

/** After the last notice of a burst, and after its first one, at most; milliseconds. An editor saves in several steps. */
const quietMs = 30;
const burstMs = 250;
/** From the end of one look to the next; where a look takes long, so many times as long, up to a limit; milliseconds. */
const pollMs = 2_000;
const pollShare = 20;
const longestPollMs = 60_000;

export class FolderWatch {
  readonly #deps: WatchDeps;
  #ended = false;
  #stop: () => void = () => undefined;
  /** What has been told of since the last reading began, and when that began. */
  #scope: RereadScope | null = null;
  #since = 0;
  #cancel: () => void = () => undefined;
  #reading = false;

  constructor(deps: WatchDeps) {
    this.#deps = deps;
  }

  /** Begins to watch; what changes from here on is told. */
  async start(): Promise<void> {
    const { source, tell } = this.#deps;
    if (source.observe === undefined) {
      tell({ at: 'unwatched' });
      return;
    }
    const stop = await source
      .observe((notice) => {
        this.#noticed(notice);
      })
      .catch(() => null);
    if (this.#ended) {
      stop?.();
      return;
    }
    if (stop === null) this.#poll();
    else {
      this.#stop = stop;
      tell({ at: 'observing' });
      // What has changed between its being read and now, nobody has told of.
      this.#noticed('anything');
    }
  }

  dispose(): void {
    this.#ended = true;
    this.#cancel();
    this.#stop();
    this.#deps.tell({ at: 'off' });
  }

  #noticed(notice: ChangeNotice): void {
    if (this.#ended) return;
    const scope = typeof notice === 'string' ? 'changed' : new Set(notice);
    if (this.#scope === null) this.#since = this.#deps.now();
    this.#scope = widen(this.#scope, scope);
    if (notice === 'ended') {
      this.#stop();
      // What has ended it may have passed.
      void this.start();
    }
    this.#soon();
  }

  /** Reads when the burst is over. */
  #soon(): void {
    if (this.#reading) return;
    this.#cancel();
    const spent = this.#deps.now() - this.#since;
    const wait = Math.max(0, Math.min(quietMs, burstMs - spent));
    this.#cancel = this.#deps.after(wait, () => void this.#read());
  }

  async #read(): Promise<void> {
    const scope = this.#scope;
    if (scope === null || this.#ended) return;
    this.#scope = null;
    this.#reading = true;
    await this.#deps.reread(scope);
    this.#reading = false;
    this.#readOn();
  }

  /** Reads what was told of during the last reading. */
  #readOn(): void {
    if (this.#scope !== null) this.#soon();
  }

  #poll(): void {
    const { after, reread, tell, visible } = this.#deps;
    let everyMs = pollMs;
    let cancel = (): void => undefined;
    let looking = false;
    const again = (took: number): void => {
      if (this.#ended) return;
      const slow = Math.ceil((took * pollShare) / 1_000) * 1_000;
      const next = Math.min(longestPollMs, Math.max(pollMs, slow));
      if (next !== everyMs) tell({ at: 'polling', everyMs: next });
      everyMs = next;
      cancel = after(everyMs, () => void look());
    };
    const look = async (): Promise<void> => {
      cancel();
      if (this.#ended || looking || !visible.now()) return;
      looking = true;
      const took = await reread('changed');
      looking = false;
      again(took);
    };
    const forget = visible.observe(() => void look());
    this.#stop = () => {
      cancel();
      forget();
    };
    tell({ at: 'polling', everyMs });
    cancel = after(everyMs, () => void look());
  }
}
