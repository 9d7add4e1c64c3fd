/** Token bucket for messages that the tool worker sends unasked; it refills over time and with each call. */

/** Messages: capacity of the bucket, and what it gains per second and per call. */
const capacity = 300;
const perSecond = 60;
const perCall = 4;

export class Allowance {
  readonly #now: () => number;
  #tokens = capacity;
  #refilledAt: number;

  constructor(now: () => number) {
    this.#now = now;
    this.#refilledAt = now();
  }

  /** Adds the tokens of one call. */
  earn(): void {
    this.#tokens = Math.min(capacity, this.#tokens + perCall);
  }

  /** Takes the token of one message. @returns false if none is left: the tool worker floods */
  spend(): boolean {
    const now = this.#now();
    this.#tokens = Math.min(capacity, this.#tokens + ((now - this.#refilledAt) / 1000) * perSecond);
    this.#refilledAt = now;
    this.#tokens -= 1;
    return this.#tokens >= 0;
  }
}
