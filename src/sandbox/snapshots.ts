/** The snapshot that interpreters start from, for as long as it can be relied on. */

import type { MemorySnapshot, SnapshotStore } from '../spec/snapshot.ts';

export class Snapshots {
  readonly #store: SnapshotStore;
  readonly #key: Promise<string>;
  #givenUp = false;

  /** @param key of the one snapshot that fits here */
  constructor(store: SnapshotStore, key: Promise<string>) {
    this.#store = store;
    this.#key = key;
    // Whoever looks for one finds none.
    key.catch(() => undefined);
  }

  /** None is used or made any more until the page is loaded again. */
  get givenUp(): boolean {
    return this.#givenUp;
  }

  /** Null where there is none to start from. Never rejects. */
  async find(): Promise<MemorySnapshot | null> {
    if (this.#givenUp) return null;
    try {
      return await this.#store.read(await this.#key);
    } catch {
      return null;
    }
  }

  /** @throws where it cannot be kept */
  async keep(snapshot: MemorySnapshot): Promise<void> {
    if (!this.#givenUp) await this.#store.write(await this.#key, snapshot);
  }

  /** Drops it: a start from it has failed, or the person wants the room. @throws where storage refuses */
  async giveUp(): Promise<void> {
    this.#givenUp = true;
    await this.#store.clear();
  }

  /** What it takes of the browser's storage. */
  bytes(): Promise<number> {
    return this.#store.bytes();
  }
}
