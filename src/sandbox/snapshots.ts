/**
 * The snapshot that interpreters start from, for as long as it can be relied on. Hashes are reckoned here, though beside
 * the page's thread, since a sandboxed frame has no cryptography.
 */

import { sha256Of } from '../protocol/deployed.ts';
import type { SnapshotStore } from '../spec/snapshot.ts';

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

  /** None is to be made: there is one, or none is wanted any more. @throws where storage refuses */
  async settled(): Promise<boolean> {
    return this.#givenUp || (await this.#store.read(await this.#key)) !== null;
  }

  /** The bytes to start from, as they were stored; null where there are none. Never rejects. */
  async find(): Promise<ArrayBuffer | null> {
    if (this.#givenUp) return null;
    try {
      const found = await this.#store.read(await this.#key);
      if (found === null) return null;
      const bytes = await found.content.arrayBuffer();
      if ((await sha256Of(bytes)) === found.sha256) return bytes;
      await this.#store.clear();
      return null;
    } catch {
      return null;
    }
  }

  /** @throws where it cannot be kept */
  async keep(content: Blob): Promise<void> {
    const hash = await sha256Of(await content.arrayBuffer());
    if (!this.#givenUp) await this.#store.write(await this.#key, { content, sha256: hash });
  }

  /**
   * Drops it, since a start from it has failed or the person wants the room; none is used or made any more until the
   * page is loaded again. @throws where storage refuses
   */
  async giveUp(): Promise<void> {
    this.#givenUp = true;
    await this.#store.clear();
  }

  /** What it takes of the browser's storage. */
  bytes(): Promise<number> {
    return this.#store.bytes();
  }
}
