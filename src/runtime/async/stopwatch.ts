/** Measures time, except while it is paused. */

export class Stopwatch {
  readonly #now: () => number;
  /** Milliseconds that were measured until the last pause. */
  #before = 0;
  /** When it was started, or resumed for the last time. */
  #since: number;
  /** Number of pauses that have not been resumed. */
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
