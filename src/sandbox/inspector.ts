/** Inspects changed files in a separate interpreter, so that their import delays no call and loses no state. */

import { changesBetween } from '../folder/changes.ts';
import type { ToolError } from '../spec/error.ts';
import type { FolderSnapshot } from '../spec/folder.ts';
import type { Inspection } from '../spec/inspection.ts';
import type { Limits } from '../spec/limits.ts';
import type { FolderPython } from './interpreter.ts';
import { inspectAll, inspectSome, oneTurn } from './inspecting.ts';

/** An interpreter and the files that it has. */
export interface Equipped {
  readonly python: FolderPython;
  readonly folder: FolderSnapshot;
}

/** Milliseconds that the interpreter stays ready for the next edit. */
const idleMs = 60_000;

export class Inspector {
  readonly #obtain: (signal: AbortSignal) => Promise<Equipped>;
  readonly #limits: Limits;
  #current: Equipped | null = null;
  #idle: ReturnType<typeof setTimeout> | undefined;

  /** @param obtain gets an interpreter that nobody else uses */
  constructor(obtain: (signal: AbortSignal) => Promise<Equipped>, limits: Limits) {
    this.#obtain = obtain;
    this.#limits = limits;
  }

  /**
   * Imports these files of the folder as it is now, and reports on each, in order. An interpreter that a file
   * kills is replaced for the next file. Call it again only after the previous call has settled.
   * @throws {ToolError}
   */
  readonly inspect = async (
    signal: AbortSignal,
    folder: FolderSnapshot,
    files: readonly string[],
    onReport: (report: Inspection | ToolError) => void,
  ): Promise<void> => {
    clearTimeout(this.#idle);
    await inspectAll(files, oneTurn, async (rest) => {
      const python = await this.#with(signal, folder);
      const inspected = await inspectSome(signal, python, rest, this.#limits, onReport);
      // It may be in the middle of an import.
      if (!inspected.survived) this.dispose();
      return inspected;
    });
    this.#idle = setTimeout(() => this.dispose(), idleMs);
  };

  dispose(): void {
    clearTimeout(this.#idle);
    this.#current?.python.dispose();
    this.#current = null;
  }

  /** Returns the interpreter with the current files. */
  async #with(signal: AbortSignal, folder: FolderSnapshot): Promise<FolderPython> {
    const known = this.#current;
    if (known !== null) {
      try {
        return await this.#update(signal, known, folder);
      } catch (thrown) {
        this.dispose();
        if (signal.aborted) throw thrown;
        // Code that an earlier file left running may have ended the interpreter.
      }
    }
    return this.#update(signal, await this.#obtain(signal), folder);
  }

  async #update(
    signal: AbortSignal,
    { python, folder: had }: Equipped,
    folder: FolderSnapshot,
  ): Promise<FolderPython> {
    this.#current = { python, folder: had };
    const changes = changesBetween(had, folder);
    if (changes.written.length + changes.removed.length > 0)
      await python.updateFiles(signal, folder, changes, this.#limits);
    this.#current = { python, folder };
    return python;
  }
}
