/** Watches an opened folder: through the browser's observer, or by polling while the page is visible. */

import { widen, type RereadScope } from './reread-folder.ts';
import type { ChangeNotice, FolderSource } from './source.ts';

export type WatchState =
  | { readonly at: 'off' }
  /** The files cannot be read again, because the open folder is a copy. */
  | { readonly at: 'unwatched' }
  | { readonly at: 'observing' }
  | { readonly at: 'polling'; readonly everyMs: number };

export interface WatchDeps {
  readonly source: FolderSource;
  /**
   * Reads the folder again within the scope, and applies changes. @returns milliseconds spent reading. Never rejects.
   */
  readonly reread: (scope: RereadScope) => Promise<number>;
  /**
   * Reads changed files at once, while more changes may follow, and applies them unless they look unfinished.
   * @returns false if nothing was applied. Never rejects.
   */
  readonly readEarly: (paths: ReadonlySet<string>) => Promise<boolean>;
  readonly onState: (state: WatchState) => void;
  /** Whether the page is visible; the listener runs when that changes. */
  readonly visible: {
    now(): boolean;
    observe(listener: () => void): () => void;
  };
  readonly after: (ms: number, then: () => void) => () => void;
  readonly now: () => number;
}

/**
 * Milliseconds to wait after the last change of a burst, and at most after its first change. Editors save in
 * several steps.
 */
const quietMs = 30;
const burstMs = 250;
/** Milliseconds between two polls. If a poll takes long, `pollShare` times its duration, up to a limit. */
const pollMs = 2_000;
const pollShare = 20;
const longestPollMs = 60_000;

export class FolderWatch {
  readonly #deps: WatchDeps;
  #ended = false;
  #stop: () => void = () => undefined;
  /** Changes reported since the last reading started, and when the first of them came. */
  #scope: RereadScope | null = null;
  #since = 0;
  #cancel: () => void = () => undefined;
  #reading = false;
  /** When the last reading ended. Within a burst, only the first change is read early. */
  #readAt = -Infinity;

  constructor(deps: WatchDeps) {
    this.#deps = deps;
  }

  /** Starts to watch; later changes are read. */
  async start(): Promise<void> {
    const { source, onState } = this.#deps;
    if (source.observe === undefined) {
      onState({ at: 'unwatched' });
      return;
    }
    const stop = await source
      .observe((notice) => {
        this.#onNotice(notice);
      })
      .catch(() => null);
    if (this.#ended) {
      stop?.();
      return;
    }
    if (stop === null) this.#poll();
    else {
      this.#stop = stop;
      onState({ at: 'observing' });
      // The folder may have changed between its first reading and now.
      this.#onNotice('anything');
    }
  }

  dispose(): void {
    this.#ended = true;
    this.#cancel();
    this.#stop();
    this.#deps.onState({ at: 'off' });
  }

  #onNotice(notice: ChangeNotice): void {
    if (this.#ended) return;
    const scope = typeof notice === 'string' ? 'changed' : new Set(notice);
    const isFirst = this.#scope === null;
    if (isFirst) this.#since = this.#deps.now();
    this.#scope = widen(this.#scope, scope);
    if (notice === 'ended') {
      this.#stop();
      // Observing may have ended for a reason that is gone by now, so start again.
      void this.start();
    }
    const isBurst = this.#since - this.#readAt < burstMs;
    if (isFirst && typeof scope !== 'string' && !isBurst && !this.#reading)
      void this.#readEarly(scope);
    else this.#readSoon();
  }

  /** Most saves are over when their first change is reported, and need not wait for the end of a burst. */
  async #readEarly(paths: ReadonlySet<string>): Promise<void> {
    this.#scope = null;
    this.#reading = true;
    const isApplied = await this.#deps.readEarly(paths);
    this.#reading = false;
    this.#readAt = this.#deps.now();
    if (!isApplied) this.#scope = widen(this.#scope, paths);
    this.#readPending();
  }

  /** Reads when the burst is over. */
  #readSoon(): void {
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
    this.#readAt = this.#deps.now();
    this.#readPending();
  }

  /** Reads what was reported during the last reading. */
  #readPending(): void {
    if (this.#scope !== null) this.#readSoon();
  }

  #poll(): void {
    const { after, reread, onState, visible } = this.#deps;
    let everyMs = pollMs;
    let cancel = (): void => undefined;
    let isPolling = false;
    const pollLater = (took: number): void => {
      if (this.#ended) return;
      const slow = Math.ceil((took * pollShare) / 1_000) * 1_000;
      const next = Math.min(longestPollMs, Math.max(pollMs, slow));
      if (next !== everyMs) onState({ at: 'polling', everyMs: next });
      everyMs = next;
      cancel = after(everyMs, () => void poll());
    };
    const poll = async (): Promise<void> => {
      cancel();
      if (this.#ended || isPolling || !visible.now()) return;
      isPolling = true;
      const took = await reread('changed');
      isPolling = false;
      pollLater(took);
    };
    const stopObserving = visible.observe(() => void poll());
    this.#stop = () => {
      cancel();
      stopObserving();
    };
    onState({ at: 'polling', everyMs });
    cancel = after(everyMs, () => void poll());
  }
}
