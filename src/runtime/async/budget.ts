/** Limits work that is done at once on the page's thread, where untrusted content decides how much there is. */

/** A step is about a microsecond of work, so that all of them together take less than a frame. */
const defaultSteps = 10_000;

/**
 * Shared by all parts of one piece of work. When the budget is spent, the rest of the work is left
 * out, and the interface says so.
 */
export class Budget {
  #left: number;

  constructor(steps = defaultSteps) {
    this.#left = steps;
  }

  /** Takes steps. @returns false if they were not all left */
  take(steps = 1): boolean {
    this.#left -= steps;
    return this.#left >= 0;
  }

  get isSpent(): boolean {
    return this.#left < 0;
  }
}
