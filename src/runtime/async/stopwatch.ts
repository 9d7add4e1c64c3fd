/** Measures time, except while it is paused. */

export class Stopwatch {
  readonly #now: () => number;
  /** Milliseconds until the last pause, and the time when it was last resumed. */
  #before = 0;
  #since: number;
  #pauses = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#since = now();
  }

  get isPaused(): boolean {
    return this.#pauses > 0;
  }

  get ms(): number {
    return this.#before + (this.isPaused ? 0 : this.#now() - this.#since);
  }

  /** Pauses until {@link resume} has been called as often as `pause`. */
  pause(): void {
    this.#before = this.ms;
    this.#pauses += 1;
  }

  resume(): void {
    this.#pauses -= 1;
    if (!this.isPaused) this.#since = this.#now();
  }
}
