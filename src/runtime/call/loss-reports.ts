/** Finds the first result that reports a loss of Python state; later results repeat the same loss. */

import type { ToolResult } from '../spec/result.ts';

/** Errors of calls that may have ended their interpreter. */
const endedWithPython: readonly string[] = ['cancelled', 'timeout', 'interrupted', 'crashed'];

export class LossReports {
  #reported = false;

  /**
   * Takes the next result of one session.
   *
   * @param options.isSeen whether the reader of the reports sees this result
   * @returns whether this result is the first to report the loss
   */
  take(
    { stateLost, error }: Pick<ToolResult, 'stateLost' | 'error'>,
    { isSeen = true } = {},
  ): boolean {
    const news = stateLost && isSeen && !this.#reported;
    if (!stateLost) this.#reported = false;
    else if (isSeen) this.#reported = true;
    // A call that ended its interpreter may have lost state again.
    if (endedWithPython.includes(error ?? '')) this.#reported = false;
    return news;
  }
}
