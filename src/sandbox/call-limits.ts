/** How long a call may take: as a whole, and without a sign of progress. */

import type { CallClock } from '../call/call-host.ts';
import { patientTimeout } from '../async/patient-timer.ts';

export class CallLimits implements CallClock {
  /** Aborts when one of the limits has passed; its reason is which, in words. */
  readonly signal: AbortSignal;
  readonly #wholeMs: number;
  readonly #idleMs: number;
  readonly #over = new AbortController();
  #cancelWhole: () => void = () => undefined;
  #cancelIdle: () => void = () => undefined;
  #lastProgress = performance.now();
  /** How much of the whole is left, and since when it runs. */
  #rest: number;
  #since = performance.now();
  #pauses = 0;
  #stopped = false;

  /** @param idleMs where it is no less than the whole, it makes no difference */
  constructor(wholeMs: number, idleMs: number) {
    this.signal = this.#over.signal;
    this.#wholeMs = wholeMs;
    this.#idleMs = idleMs;
    this.#rest = wholeMs;
    this.#run();
  }

  /** The call has given a sign of life. */
  progress(): void {
    this.#lastProgress = performance.now();
  }

  /** Time stands still until {@link resume} has been called as often. */
  pause(): void {
    this.#pauses += 1;
    if (this.#pauses > 1 || this.#stopped) return;
    this.#rest -= performance.now() - this.#since;
    this.#cancelBoth();
  }

  resume(): void {
    this.#pauses -= 1;
    if (this.#pauses === 0 && !this.#stopped) this.#run();
  }

  /** The call is over. */
  stop(): void {
    this.#stopped = true;
    this.#cancelBoth();
  }

  #run(): void {
    this.#since = this.#lastProgress = performance.now();
    this.#cancelWhole = patientTimeout(Math.max(0, this.#rest), () => {
      this.#end(`Its limit is ${this.#wholeMs / 1000} s.`);
    });
    if (this.#idleMs < this.#wholeMs) this.#watchIdle(this.#idleMs);
  }

  /** One timer for all signs of life: setting one for each costs more than the sign. */
  #watchIdle(ms: number): void {
    this.#cancelIdle = patientTimeout(ms, () => {
      const rest = this.#lastProgress + this.#idleMs - performance.now();
      if (rest > 0) this.#watchIdle(rest);
      else this.#end(`It made no progress for ${this.#idleMs / 1000} s.`);
    });
  }

  #cancelBoth(): void {
    this.#cancelWhole();
    this.#cancelIdle();
  }

  #end(why: string): void {
    this.stop();
    this.#over.abort(why);
  }
}
