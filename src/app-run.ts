/** Runs a call in the open folder, after the person was asked where the tool requires that. */

import type { FolderInterpreters, Hands } from './app-hands.ts';
import type { Run } from './call/run.ts';
import { ToolError } from './spec/error.ts';

/** @param current the interpreters of the folder that is open now */
export function runInFolder(
  current: () => FolderInterpreters | null,
  approve: Hands['approve'],
): Run {
  const opened = (): FolderInterpreters => {
    const interpreters = current();
    if (interpreters === null) throw noFolder();
    return interpreters;
  };
  return async (signal, tool, call, watch) => {
    const interpreters = opened();
    let asAllowed = call;
    if (call.caller !== 'person') {
      const { answer, refusal } = await approve(signal, tool, call, (...asked) =>
        interpreters.needsApproval(...asked),
      );
      if (answer !== null) watch.onAnswer(answer);
      if (refusal !== null) return refusal;
      asAllowed = { ...call, arguments: answer?.arguments ?? call.arguments };
    }
    // The folder may have been read anew while the person thought.
    return opened().run(signal, tool, asAllowed, watch);
  };
}

export function noFolder(): ToolError {
  return new ToolError('no-folder', 'No tools folder is open');
}
