/** Dispatches for tests. */

import type { Dispatch } from '../spec/call.ts';

/** A dispatch for tools that no test calls. */
export const noDispatch: Dispatch = {
  run: () => Promise.reject(new Error('nothing to run')),
  check: () => Promise.resolve(null),
  needsApproval: () => Promise.resolve(false),
};
