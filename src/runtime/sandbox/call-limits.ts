/** The time limits of a call: its total time, and the time without progress. They pause while the user is asked, as {@link Stopwatch} does. */

import type { PatientTimers } from '../async/timers.ts';
import type { CallClock } from '../protocol/ask.ts';

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
  readonly #watch = new Stopwatch();
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
    this.#run();
  }

  /** A sentence that names the limit that has passed; null if none has. */
  get why(): string | null {
    return this.#why;
  }

  get isPaused(): boolean {
    return this.#watch.isPaused && !this.#stopped;
  }

  /** Milliseconds since the call began, without those in which the clock was paused. */
  get ranMs(): number {
    return this.#watch.ms;
  }

  /** Records progress of the call, which restarts the idle limit. */
  progress(): void {
    this.#lastProgress = performance.now();
  }

  /** Stops the clock until {@link resume} has been called as often as `pause`. */
  pause(): void {
    const wasPaused = this.#watch.isPaused;
    this.#watch.pause();
    if (wasPaused || this.#stopped) return;
    this.#cancelBoth();
    this.#onPause();
  }

  resume(): void {
    this.#watch.resume();
    if (!this.#watch.isPaused && !this.#stopped) this.#run();
  }

  /** Stops both limits because the call has ended. */
  stop(): void {
    this.#stopped = true;
    this.#cancelBoth();
  }

  #run(): void {
    this.#lastProgress = performance.now();
    this.#cancelWhole = this.#timers.after(Math.max(0, this.#wholeMs - this.ranMs), () => {
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
