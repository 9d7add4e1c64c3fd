/** Ends idle Pythons of a page, so that a page with many playgrounds does not need the memory of all of them. */

import type { FolderInterpreters } from '../app/folder/folder-interpreters.ts';

/** How many other playgrounds may run, after this one did, before its idle Python is ended. It starts again when it is needed. */
const mostOthers = 2;

export class PageMemory {
  readonly #channel: BroadcastChannel;
  readonly #id: string;
  readonly #pools = new Set<FolderInterpreters>();
  readonly #ranSince = new Set<string>();

  /** @param channel heard by all playgrounds of the page */
  constructor(channel: BroadcastChannel, id: string) {
    this.#channel = channel;
    this.#id = id;
    channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (typeof data === 'string') this.#heard(data);
    };
  }

  watch(pool: FolderInterpreters): void {
    this.#pools.add(pool);
    pool.observe((views) => {
      if (views.length === 0) this.#pools.delete(pool);
      else this.#pools.add(pool);
      if (!views.some(({ state }) => state === 'busy' || state === 'starting')) return;
      this.#ranSince.clear();
      this.#channel.postMessage(this.#id);
    });
  }

  #heard(other: string): void {
    this.#ranSince.add(other);
    if (this.#ranSince.size < mostOthers) return;
    for (const pool of this.#pools) {
      const views = pool.list();
      if (views.some(({ state }) => state !== 'ready')) continue;
      for (const { sessionId } of views) pool.endSession(sessionId);
    }
  }
}
