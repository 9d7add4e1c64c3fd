/** An interpreter of its own for files that have changed: whatever their import does, no call is held up and no state lost. */

import { changesBetween } from '../folder/changes.ts';
import type { ToolError } from '../spec/error.ts';
import type { FolderSnapshot } from '../spec/folder.ts';
import type { Inspection } from '../spec/inspection.ts';
import type { Limits } from '../spec/limits.ts';
import type { FolderPython } from './interpreter.ts';
import { inspectAll, inspectSome } from './inspecting.ts';

/** An interpreter, and the files that it has. */
export interface Equipped {
  readonly python: FolderPython;
  readonly folder: FolderSnapshot;
}

/** How long it is kept for the next edit; milliseconds. */
const idleMs = 60_000;

export class Inspector {
  readonly #obtain: (signal: AbortSignal) => Promise<Equipped>;
  readonly #limits: Limits;
  #has: Equipped | null = null;
  #idle: ReturnType<typeof setTimeout> | undefined;

  /** @param obtain an interpreter that nobody else uses */
  constructor(obtain: (signal: AbortSignal) => Promise<Equipped>, limits: Limits) {
    this.#obtain = obtain;
    this.#limits = limits;
  }

  /**
   * Imports these files of the folder as it is now, and reports on each, in order; an interpreter that does not survive
   * one is replaced for the next. One such request at a time.
   * @throws {ToolError}
   */
  readonly inspect = async (
    signal: AbortSignal,
    folder: FolderSnapshot,
    files: readonly string[],
    onReport: (report: Inspection | ToolError) => void,
  ): Promise<void> => {
    clearTimeout(this.#idle);
    await inspectAll(files, Infinity, async (rest) => {
      const python = await this.#with(signal, folder);
      const inspected = await inspectSome(signal, python, rest, this.#limits, onReport);
      // It may be in the middle of an import.
      if (!inspected.survived) this.dispose();
      return inspected;
    });
    this.#idle = setTimeout(() => {
      this.dispose();
    }, idleMs);
  };

  dispose(): void {
    clearTimeout(this.#idle);
    this.#has?.python.dispose();
    this.#has = null;
  }

  /** The interpreter, with the files as they are now. */
  async #with(signal: AbortSignal, folder: FolderSnapshot): Promise<FolderPython> {
    const known = this.#has;
    if (known !== null) {
      try {
        return await this.#bring(signal, known, folder);
      } catch (thrown) {
        this.dispose();
        if (signal.aborted) throw thrown;
        // Something that a file left behind may have ended it since.
      }
    }
    return this.#bring(signal, await this.#obtain(signal), folder);
  }

  async #bring(
    signal: AbortSignal,
    { python, folder: had }: Equipped,
    folder: FolderSnapshot,
  ): Promise<FolderPython> {
    this.#has = { python, folder: had };
    const changes = changesBetween(had, folder);
    if (changes.written.length + changes.removed.length > 0)
      await python.updateFiles(signal, folder, changes, this.#limits);
    this.#has = { python, folder };
    return python;
  }
}
