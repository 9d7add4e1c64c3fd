/** Imports tool files in an interpreter, one after the other, and notices when an import kills it. */

import { ToolError, type ToolErrorCode } from '../spec/error.ts';
import type { Inspection } from '../spec/inspection.ts';
import type { Limits } from '../spec/limits.ts';
import type { FolderPython } from './interpreter.ts';

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
