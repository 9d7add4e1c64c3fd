/**
 * The snapshot that interpreters start from, for as long as it can be relied on. Hashes are reckoned here, though beside
 * the page's thread, since a sandboxed frame has no cryptography.
 */

import { sha256Of } from '../protocol/deployed.ts';
import type { MemorySnapshot, SnapshotStore } from '../spec/snapshot.ts';

export class Snapshots {
  readonly #store: SnapshotStore;
  readonly #key: () => Promise<string>;
  #givenUp = false;

  /** @param key of the one snapshot that fits here; asked only where there is one, or is to be one */
  constructor(store: SnapshotStore, key: () => Promise<string>) {
    this.#store = store;
    this.#key = key;
  }

  /** None is to be made: there is one, or none is wanted any more. @throws where storage refuses */
  async settled(): Promise<boolean> {
    return this.#givenUp || (await this.#fitting()) !== null;
  }

  /** The bytes to start from, as they were stored; null where there are none. Never rejects. */
  async find(): Promise<ArrayBuffer | null> {
    if (this.#givenUp) return null;
    try {
      const found = await this.#fitting();
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
    const key = await this.#key();
    if (!this.#givenUp) await this.#store.write({ key, content, sha256: hash });
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

  /** Null too for what was made in another browser, by another build, or with other files. */
  async #fitting(): Promise<MemorySnapshot | null> {
    const found = await this.#store.read();
    return found !== null && found.key === (await this.#key()) ? found : null;
  }
}

/** What a memory depends on besides the files that it was made from. */
export interface SnapshotInputs {
  /** Names browser and version. */
  readonly userAgent: string;
  /** Python's environment speaks it. */
  readonly language: string;
  /** Python reads it once, when `time` is imported. */
  readonly timeZone: string;
  readonly stackSwitching: boolean;
}

/** @param files all that goes into the sandbox: Pyodide, its libraries, the loader, our worker */
export async function snapshotKey(
  files: readonly { readonly name: string; readonly sha256: string }[],
  { userAgent, language, timeZone, stackSwitching }: SnapshotInputs,
): Promise<string> {
  const said = JSON.stringify([
    files.map(({ name, sha256 }) => [name, sha256]),
    [userAgent, language, timeZone, stackSwitching],
  ]);
  return sha256Of(new TextEncoder().encode(said).buffer);
}
