/**
 * The snapshot from which interpreters start. Checks that it fits and is intact. Hashes are computed here,
 * because a sandboxed frame has no `crypto.subtle`.
 */

import { sha256Of } from '../spec/bytes.ts';
import type { MemorySnapshot, SnapshotStore } from '../spec/interpreter.ts';

export interface FoundSnapshot {
  readonly content: Blob;
  /**
   * Whether the snapshot's hash is correct. Python may start from it meanwhile, and has to end if
   * it is not. Never rejects.
   */
  readonly intact: Promise<boolean>;
}

export interface SnapshotPurpose {
  /** Whether the snapshot contains the modules of the standard library that packages import. */
  readonly forPackages: boolean;
}

export class Snapshots {
  /** Whether the next snapshot that is made contains what packages import of the standard library. */
  forPackages = false;
  readonly #store: SnapshotStore;
  readonly #key: (purpose: SnapshotPurpose) => Promise<string>;
  /** Whether each stored snapshot matches its hash, which is checked once in a visit. */
  readonly #checked = new Map<string, Promise<boolean>>();
  #isDisabled = false;

  /** @param key returns the key of the snapshot that fits this browser and build; called only when it is needed */
  constructor(store: SnapshotStore, key: (purpose: SnapshotPurpose) => Promise<string>) {
    this.#store = store;
    this.#key = key;
  }

  /**
   * Whether no snapshot has to be made, because a fitting one exists or snapshots are disabled. A snapshot for packages
   * serves folders without packages, too.
   * @throws if storage fails
   */
  async needsNone(): Promise<boolean> {
    if (this.#isDisabled) return true;
    const found = await this.#findFitting();
    return (
      found !== null &&
      (!this.forPackages || found.key === (await this.#key({ forPackages: true })))
    );
  }

  /** Returns the stored snapshot, whose hash is still being checked. Never rejects. */
  async find(): Promise<FoundSnapshot | null> {
    if (this.#isDisabled) return null;
    try {
      const found = await this.#findFitting();
      if (found === null) return null;
      const intact = this.#checked.get(found.sha256) ?? this.#isIntact(found);
      this.#checked.set(found.sha256, intact);
      return { content: found.content, intact };
    } catch {
      return null;
    }
  }

  /** Stores a snapshot. @throws if it cannot be stored */
  async store(content: Blob, purpose: SnapshotPurpose): Promise<void> {
    const hash = await sha256Of(await content.arrayBuffer());
    const key = await this.#key(purpose);
    if (!this.#isDisabled) await this.#store.write({ key, content, sha256: hash });
  }

  /**
   * Deletes the snapshot and disables snapshots until the page is reloaded, because a start from it failed or
   * the user wants the space.
   * @throws if storage fails
   */
  async disable(): Promise<void> {
    this.#isDisabled = true;
    await this.#store.clear();
  }

  /** Returns the size of the stored snapshot in bytes. */
  bytes(): Promise<number> {
    return this.#store.bytes();
  }

  /** Compares the snapshot with its hash, and removes it if it is damaged. */
  async #isIntact({ content, sha256 }: MemorySnapshot): Promise<boolean> {
    try {
      // @mutant the hash of a snapshot => without if ((await sha256Of(await content.arrayBuffer())) === sha256)
      if ((await sha256Of(await content.arrayBuffer())) === sha256) return true;
      this.#checked.delete(sha256);
      await this.#store.clear();
    } catch {
      this.#checked.delete(sha256);
    }
    return false;
  }

  /** Returns null also for a snapshot of another browser, build or set of files. */
  async #findFitting(): Promise<MemorySnapshot | null> {
    const found = await this.#store.read();
    const keys: string[] =
      found === null
        ? []
        : await Promise.all([false, true].map((forPackages) => this.#key({ forPackages })));
    // @mutant a snapshot of another browser or build => without && keys.includes(found.key)
    return found !== null && keys.includes(found.key) ? found : null;
  }
}

/** Everything that a snapshot depends on, apart from the files that it was made from. */
export interface SnapshotInputs {
  readonly userAgent: string;
  /** Language of the browser, which Python's environment contains. */
  readonly language: string;
  /** Time zone, which Python reads once, when `time` is imported. */
  readonly timeZone: string;
  readonly stackSwitching: boolean;
  /** Whether it contains what packages import of the standard library. */
  readonly forPackages: boolean;
}

/** @param files everything that goes into the sandbox: Pyodide, its libraries, the loader, our worker */
export async function snapshotKey(
  files: readonly { readonly name: string; readonly sha256: string }[],
  { userAgent, language, timeZone, stackSwitching, forPackages }: SnapshotInputs,
): Promise<string> {
  const inputs = JSON.stringify([
    files.map(({ name, sha256 }) => [name, sha256]),
    [userAgent, language, timeZone, stackSwitching, forPackages],
  ]);
  return sha256Of(new TextEncoder().encode(inputs).buffer);
}
