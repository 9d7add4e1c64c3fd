/** Which results are the first to say that Python's state was lost: those after it say so too, and it is no news by then. */

import type { ToolResult } from '../spec/result.ts';

/** Errors of calls with which an interpreter may have gone. */
const endedWithPython: readonly string[] = ['cancelled', 'timeout', 'interrupted', 'crashed'];

export class LossTold {
  #told = false;

  /**
   * Takes the results of one session in their order.
   *
   * @param heard whether the one who is told reads this result
   * @returns whether it brings the news
   */
  isNews({ stateLost, error }: Pick<ToolResult, 'stateLost' | 'error'>, heard = true): boolean {
    const news = stateLost && heard && !this.#told;
    if (!stateLost) this.#told = false;
    else if (heard) this.#told = true;
    // What was lost with this one is news once more.
    if (endedWithPython.includes(error ?? '')) this.#told = false;
    return news;
  }
}
