/** The progress of one call, as MCP wants it: each value is larger than the one before. */

import { progressIn, type Update } from '../../../runtime/spec/result.ts';

export interface McpProgress {
  readonly progress: number;
  readonly total?: number;
  /** Text of the tool, or undefined for the update itself. */
  readonly message: string | undefined;
}

export class ProgressReports {
  #last = -1;
  #total = 0;
  /** Whether updates are counted because they report no progress. */
  #counts = false;

  /** Returns what to report for an update; null if it is no advance. */
  of(update: Update): McpProgress | null {
    const reported = this.#counts ? null : progressIn(update);
    if (reported === null) {
      if (this.#last >= 0 && !this.#counts) return null;
      this.#counts = true;
      this.#last = update.n + 1;
      return { progress: this.#last, message: undefined };
    }
    const { progress, message } = reported;
    if (progress <= this.#last) return null;
    this.#last = progress;
    // A progress of 1 may be a count, or the end of shares such as 0.5: the earlier progress decides.
    this.#total = reported.total === 0 && progress <= 1 ? this.#total : reported.total;
    return { progress, ...(this.#total > 0 && { total: this.#total }), message };
  }
}
