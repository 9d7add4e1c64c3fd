/** How long a call may take: as a whole, and without a sign of progress. */

import { patientTimeout } from './patient-timer.ts';

export class CallLimits {
  /** Aborts when one of the limits has passed; its reason is which, in words. */
  readonly signal: AbortSignal;
  readonly #idleMs: number;
  readonly #over = new AbortController();
  readonly #cancelWhole: () => void;
  #cancelIdle: () => void = () => undefined;
  #lastProgress = performance.now();

  /** @param idleMs where it is no less than the whole, it makes no difference */
  constructor(wholeMs: number, idleMs: number) {
    this.signal = this.#over.signal;
    this.#idleMs = idleMs;
    this.#cancelWhole = patientTimeout(wholeMs, () => {
      this.#end(`Its limit is ${wholeMs / 1000} s.`);
    });
    if (idleMs < wholeMs) this.#watchIdle(idleMs);
  }

  /** The call has given a sign of life. */
  progress(): void {
    this.#lastProgress = performance.now();
  }

  /** The call is over. */
  stop(): void {
    this.#cancelWhole();
    this.#cancelIdle();
  }

  /** One timer for all signs of life: setting one for each costs more than the sign. */
  #watchIdle(ms: number): void {
    this.#cancelIdle = patientTimeout(ms, () => {
      const rest = this.#lastProgress + this.#idleMs - performance.now();
      if (rest > 0) this.#watchIdle(rest);
      else this.#end(`It gave no sign of progress for ${this.#idleMs / 1000} s.`);
    });
  }

  #end(why: string): void {
    this.stop();
    this.#over.abort(why);
  }
}
