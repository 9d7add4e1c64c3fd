/** Imports files in an interpreter, as far as it survives them. */

import { ToolError } from '../spec/error.ts';
import type { Inspection } from '../spec/inspection.ts';
import type { Limits } from '../spec/limits.ts';
import type { FolderPython } from './interpreter.ts';

export interface Inspected {
  /** How many of the files are done with; the others are still to be inspected. */
  readonly ended: number;
  /** The interpreter can be used on. */
  readonly survived: boolean;
  /** What no file is to blame for. */
  readonly failed: { readonly thrown: unknown } | null;
}

/**
 * Inspects files in turns of `most`; files that a turn has not come to are in the next one.
 * @throws what no file is to blame for
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

/** Never rejects. */
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
    // The first that has not answered is the one that was being imported.
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
