/** A limit of time that counts only while it is not held. */

export interface AllowanceDeps {
  /** @returns cancel */
  readonly after: (ms: number, then: () => void) => () => void;
  readonly now: () => number;
}

export class Allowance {
  readonly #deps: AllowanceDeps;
  readonly #onUsedUp: () => void;
  /** What is left at the last change between running and held. */
  #leftMs: number;
  /** When it began to run; null while it is held. */
  #since: number | null = null;
  #cancel: () => void = () => undefined;

  /** Starts as held. */
  constructor(ms: number, onUsedUp: () => void, deps: AllowanceDeps) {
    this.#deps = deps;
    this.#leftMs = ms;
    this.#onUsedUp = onUsedUp;
  }

  /** Lets the time run. Does nothing if it runs already. */
  go(): void {
    if (this.#since !== null) return;
    this.#since = this.#deps.now();
    this.#cancel = this.#deps.after(Math.max(0, this.#leftMs), this.#onUsedUp);
  }

  /** Stops the time; what is left stays for the next `go`. */
  hold(): void {
    if (this.#since === null) return;
    this.#cancel();
    this.#leftMs -= this.#deps.now() - this.#since;
    this.#since = null;
  }
}
