/** Imports tool files in an interpreter, one after the other, and notices when an import kills it. */

import { ToolError } from '../spec/error.ts';
import type { Inspection } from '../spec/inspection.ts';
import type { Limits } from '../spec/limits.ts';
import type { FolderPython } from './interpreter.ts';

export interface Inspected {
  /** How many files are finished, counted from the start of the list. The others still have to be inspected. */
  readonly ended: number;
  /** Whether the interpreter can still be used. */
  readonly survived: boolean;
  /** An error that no file caused, such as a cancelled inspection. */
  readonly failed: { readonly thrown: unknown } | null;
}

/**
 * Inspects files in batches of `most`. Files that a batch did not finish go into the next one.
 * @throws errors that no file caused
 */
export async function inspectAll(
  files: readonly string[],
  most: number,
  turn: (some: readonly string[]) => Promise<Inspected>,
): Promise<void> {
  for (let rest = files; rest.length > 0;) {
    const { ended, failed } = await turn(rest.slice(0, most));
    if (failed) throw failed.thrown;
    rest = rest.slice(ended);
  }
}

/** Inspects files until the interpreter ends. Never rejects. */
export async function inspectSome(
  signal: AbortSignal,
  python: FolderPython,
  files: readonly string[],
  limits: Limits,
  onReport: (report: Inspection | ToolError) => void,
): Promise<Inspected> {
  let ended = 0;
  try {
    await python.inspect(signal, files, limits, (inspection) => {
      ended += 1;
      onReport(inspection);
    });
    return { ended, survived: true, failed: null };
  } catch (thrown) {
    if (signal.aborted || !(thrown instanceof ToolError))
      return { ended, survived: false, failed: { thrown } };
    // The first file without an answer was being imported when the interpreter ended.
    return report(ended + 1, thrown, onReport);
  }
}

function report(ended: number, error: ToolError, onReport: (report: ToolError) => void): Inspected {
  try {
    onReport(error);
    return { ended, survived: false, failed: null };
  } catch (thrown) {
    return { ended, survived: false, failed: { thrown } };
  }
}
