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

/** How many files Python gets at once, first and at most, and how long such a turn should take; milliseconds. */
export interface Turns {
  readonly first: number;
  readonly most: number;
  readonly ms: number;
}

export const oneTurn: Turns = { first: Infinity, most: Infinity, ms: Infinity };

/**
 * Inspects files in turns, between which calls can run. Files that a turn did not finish go into the next one.
 * @throws errors that no file caused
 */
export async function inspectAll(
  files: readonly string[],
  { first, most, ms }: Turns,
  turn: (some: readonly string[]) => Promise<Inspected>,
): Promise<void> {
  let size = first;
  for (let rest = files; rest.length > 0;) {
    const from = performance.now();
    const { ended, failed } = await turn(rest.slice(0, size));
    if (failed) throw failed.thrown;
    rest = rest.slice(ended);
    const took = Math.max(1, performance.now() - from);
    size = Math.max(1, Math.min(most, Math.round((ended * ms) / took)));
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
