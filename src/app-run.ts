/** Runs the tools of the folder that is open when a call's turn comes. */

import type { Dispatch } from './spec/dispatch.ts';
import { ToolError } from './spec/error.ts';

/** @param current runs the tools of the folder that is open now */
export function folderDispatch(current: () => Dispatch | null): Dispatch {
  const opened = (): Dispatch => {
    const interpreters = current();
    if (interpreters === null) throw noFolder();
    return interpreters;
  };
  return {
    run: async (...call) => opened().run(...call),
    check: async (...call) => opened().check(...call),
    needsApproval: async (...call) => opened().needsApproval(...call),
  };
}

export function noFolder(): ToolError {
  return new ToolError('no-folder', 'No tools folder is open');
}
