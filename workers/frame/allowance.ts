/** How much unasked-for a tool worker may say: a bucket that fills by the broker's clock and with every call. */

/** Messages at once, a second, and for each call. */
const most = 300;
const perSecond = 60;
const perCall = 4;

export class Allowance {
  readonly #now: () => number;
  #tokens = most;
  #at: number;

  constructor(now: () => number) {
    this.#now = now;
    this.#at = now();
  }

  earn(): void {
    this.#tokens = Math.min(most, this.#tokens + perCall);
  }

  /** Takes one message's worth; false: there is none left, which is a flood. */
  spend(): boolean {
    const now = this.#now();
    this.#tokens = Math.min(most, this.#tokens + ((now - this.#at) / 1000) * perSecond);
    this.#at = now;
    this.#tokens -= 1;
    return this.#tokens >= 0;
  }
}
