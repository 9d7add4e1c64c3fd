/** Inspects changed files in a separate interpreter, so that their import delays no call and loses no state. */

import { changesBetween } from '../folder/snapshot-changes.ts';
import type { ToolError } from '../spec/error.ts';
import type { FolderSnapshot } from '../spec/folder.ts';
import type { Inspection } from '../spec/inspection.ts';
import type { Limits } from '../spec/limits.ts';
import type { SpecProposal } from '../spec/spec-proposal.ts';
import { splitIntoBatches } from './file-batches.ts';
import type { FolderPython } from './interpreter.ts';
import { inspectAll, inspectSome, oneTurn, type Inspected } from './import-tool-files.ts';

type OnReport = (report: Inspection | ToolError) => void;

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

  /** @param obtain gets an interpreter that is not used otherwise */
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
    onReport: OnReport,
  ): Promise<void> => {
    clearTimeout(this.#idle);
    await inspectAll(files, oneTurn, async (rest) => {
      const inspected = await this.#inspect(signal, folder, rest, onReport);
      // The interpreter may be in the middle of an import.
      if (!inspected.survived) this.dispose();
      return inspected;
    });
    this.#idle = setTimeout(() => this.dispose(), idleMs);
  };

  /**
   * Proposes specs for the functions of a file of the folder as it is now. Call it only while no inspection runs.
   * @param names ids of the tools to write; null: all
   * @throws {ToolError}
   */
  readonly propose = async (
    signal: AbortSignal,
    folder: FolderSnapshot,
    file: string,
    names: readonly string[] | null,
  ): Promise<SpecProposal> => {
    clearTimeout(this.#idle);
    try {
      // Code that an earlier file left running may have ended the interpreter.
      if (this.#current?.python.alive === false) this.dispose();
      const equipped = this.#current ?? (await this.#obtain(signal));
      this.#current = equipped;
      const { python } = equipped;
      const changes = changesBetween(equipped.folder, folder);
      if (changes.written.length + changes.removed.length > 0)
        await python.updateFiles(signal, folder, changes, this.#limits);
      this.#current = { python, folder };
      const proposal = await python.propose(signal, file, names, this.#limits);
      this.#idle = setTimeout(() => this.dispose(), idleMs);
      return proposal;
    } catch (thrown) {
      // The interpreter may be in the middle of an import.
      this.dispose();
      throw thrown;
    }
  };

  dispose(): void {
    clearTimeout(this.#idle);
    this.#current?.python.dispose();
    this.#current = null;
  }

  async #inspect(
    signal: AbortSignal,
    folder: FolderSnapshot,
    files: readonly string[],
    onReport: OnReport,
  ): Promise<Inspected> {
    const known = this.#current;
    if (known !== null) {
      try {
        return await this.#inspectIn(known, signal, folder, files, onReport);
      } catch (thrown) {
        this.dispose();
        if (signal.aborted) throw thrown;
        // Code that an earlier file left running may have ended the interpreter.
      }
    }
    return this.#inspectIn(await this.#obtain(signal), signal, folder, files, onReport);
  }

  /** If the changes fit into one message, sends them together with the request to inspect: both are handled in order. */
  async #inspectIn(
    equipped: Equipped,
    signal: AbortSignal,
    folder: FolderSnapshot,
    files: readonly string[],
    onReport: OnReport,
  ): Promise<Inspected> {
    this.#current = equipped;
    const { python } = equipped;
    const changes = changesBetween(equipped.folder, folder);
    const hasChanged = changes.written.length + changes.removed.length > 0;
    const updated = hasChanged
      ? python.updateFiles(signal, folder, changes, this.#limits)
      : Promise.resolve();
    if ([...splitIntoBatches(changes.written)].length > 1) await updated;
    const inspected = inspectSome(signal, python, files, this.#limits, onReport, updated);
    await updated;
    this.#current = { python, folder };
    return inspected;
  }
}
