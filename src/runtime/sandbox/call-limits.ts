/** The time limits of a call: its total time, and the time without progress. They pause while the user is asked. */

import type { PatientTimers } from '../async/patient-timer.ts';
import type { CallClock } from '../call/call-host.ts';

export class CallLimits implements CallClock {
  readonly #timers: PatientTimers;
  readonly #onOver: () => void;
  readonly #onPause: () => void;
  #why: string | null = null;
  readonly #wholeMs: number;
  readonly #idleMs: number;
  #cancelWhole: () => void = () => undefined;
  #cancelIdle: () => void = () => undefined;
  #lastProgress = performance.now();
  /** Milliseconds that are left of the total, and the time when the clock was last started. */
  #msLeft: number;
  #since = performance.now();
  #pauses = 0;
  #stopped = false;

  /**
   * @param idleMs has no effect unless it is less than `wholeMs`
   * @param onOver called at most once, when a limit has passed
   * @param onPause called when the clock stops
   */
  constructor(
    timers: PatientTimers,
    wholeMs: number,
    idleMs: number,
    onOver: () => void,
    onPause: () => void = () => undefined,
  ) {
    this.#timers = timers;
    this.#onOver = onOver;
    this.#onPause = onPause;
    this.#wholeMs = wholeMs;
    this.#idleMs = idleMs;
    this.#msLeft = wholeMs;
    this.#run();
  }

  /** A sentence that names the limit that has passed; null if none has. */
  get why(): string | null {
    return this.#why;
  }

  get isPaused(): boolean {
    return this.#pauses > 0 && !this.#stopped;
  }

  /** Records progress of the call, which restarts the idle limit. */
  progress(): void {
    this.#lastProgress = performance.now();
  }

  /** Stops the clock until {@link resume} has been called as often as `pause`. */
  pause(): void {
    this.#pauses += 1;
    if (this.#pauses > 1 || this.#stopped) return;
    this.#msLeft -= performance.now() - this.#since;
    this.#cancelBoth();
    this.#onPause();
  }

  resume(): void {
    this.#pauses -= 1;
    if (this.#pauses === 0 && !this.#stopped) this.#run();
  }

  /** Stops both limits because the call has ended. */
  stop(): void {
    this.#stopped = true;
    this.#cancelBoth();
  }

  #run(): void {
    this.#since = this.#lastProgress = performance.now();
    this.#cancelWhole = this.#timers.after(Math.max(0, this.#msLeft), () => {
      this.#end(`Its limit is ${this.#wholeMs / 1000} s.`);
    });
    if (this.#idleMs < this.#wholeMs) this.#watchIdle(this.#idleMs);
  }

  #watchIdle(ms: number): void {
    this.#cancelIdle = this.#timers.after(ms, () => {
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
    this.#why = why;
    this.#onOver();
  }
}
