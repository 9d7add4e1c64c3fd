/** Imports and inspects tool files in an interpreter, one after the other, and notices when an import ends it. */

import { changesBetween, type FolderSnapshot } from '../spec/folder.ts';
import { ToolError, type ToolErrorCode } from '../spec/error.ts';
import type { Inspection, SpecProposal } from '../spec/tool.ts';
import type { Limits } from '../spec/limits.ts';
import { splitIntoBatches } from './file-batches.ts';
import type { FolderPython } from './interpreter.ts';

type OnReport = (report: Inspection | ToolError) => void;

/** An interpreter and the files that it has. */
export interface Equipped {
  readonly python: FolderPython;
  readonly folder: FolderSnapshot;
}

/** Milliseconds that the interpreter stays ready for the next edit. */
const idleMs = 60_000;

/** Inspects changed files in a separate interpreter, so that their import delays no call and loses no state. */
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
    // If the changes fit into one message, it is sent together with the request to inspect: both are handled in order.
    const inspectIn = async (equipped: Equipped): Promise<Inspected> => {
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
    };
    const known = this.#current;
    if (known !== null) {
      try {
        return await inspectIn(known);
      } catch (thrown) {
        this.dispose();
        if (signal.aborted) throw thrown;
        // Code that an earlier file left running may have ended the interpreter.
      }
    }
    return inspectIn(await this.#obtain(signal));
  }
}

export interface Inspected {
  /** Number of files that are finished, counted from the start of the list. The others still have to be inspected. */
  readonly ended: number;
  /** Number of the others that may have ended the interpreter: they have to be inspected one at a time. */
  readonly suspects: number;
  /** Whether the interpreter can still be used. */
  readonly survived: boolean;
  /** An error that no file caused, such as a cancelled inspection. */
  readonly failed: { readonly thrown: unknown } | null;
}

/** Number of files that Python gets at once, first and at most, and the time that such a turn should take; milliseconds. */
export interface Turns {
  readonly first: number;
  readonly max: number;
  readonly ms: number;
}

/** Ways in which an import ends the interpreter. */
const losses: readonly ToolErrorCode[] = ['crashed', 'flood', 'protocol'];

export const oneTurn: Turns = { first: Infinity, max: Infinity, ms: Infinity };

/**
 * Inspects files in turns, between which calls can run. Files that a turn did not finish go into the next one. If a turn ended
 * the interpreter, and several files may have done that, each of these gets a turn of its own, until one ends it again.
 * @throws errors that no file caused
 */
export async function inspectAll(
  files: readonly string[],
  { first, max, ms }: Turns,
  turn: (some: readonly string[]) => Promise<Inspected>,
): Promise<void> {
  let size = first;
  /** Number of the next files that get a turn of their own. */
  let alone = 0;
  for (let rest = files; rest.length > 0;) {
    const from = performance.now();
    const { ended, suspects, survived, failed } = await turn(rest.slice(0, alone > 0 ? 1 : size));
    if (failed) throw failed.thrown;
    rest = rest.slice(ended);
    alone = survived ? Math.max(0, alone - ended) : suspects;
    if (ended === 0) continue;
    const took = Math.max(1, performance.now() - from);
    size = Math.max(1, Math.min(max, Math.round((ended * ms) / took)));
  }
}

/** Inspects files until the interpreter ends. Never rejects. @param before see {@link FolderPython.inspect} */
export async function inspectSome(
  signal: AbortSignal,
  python: FolderPython,
  files: readonly string[],
  limits: Limits,
  onReport: (report: Inspection | ToolError) => void,
  before?: Promise<unknown>,
): Promise<Inspected> {
  let ended = 0;
  try {
    const onInspection = (inspection: Inspection): void => {
      ended += 1;
      onReport(inspection);
    };
    await python.inspect(signal, files, limits, onInspection, before);
    return { ended, suspects: 0, survived: true, failed: null };
  } catch (thrown) {
    const failedBefore = await before?.then(
      () => false,
      () => true,
    );
    if (failedBefore === true || signal.aborted || !(thrown instanceof ToolError))
      return { ended, suspects: 0, survived: false, failed: { thrown } };
    // Reports that were on their way are lost with an interpreter that ends: a later file than the first one without a
    // report may have ended it.
    const left = files.length - ended;
    if (left > 1 && losses.includes(thrown.code))
      return { ended, suspects: left, survived: false, failed: null };
    return report(ended + 1, thrown, onReport);
  }
}

function report(ended: number, error: ToolError, onReport: (report: ToolError) => void): Inspected {
  try {
    onReport(error);
    return { ended, suspects: 0, survived: false, failed: null };
  } catch (thrown) {
    return { ended, suspects: 0, survived: false, failed: { thrown } };
  }
}
