/** Timers: a plain one, for code that gets its timers as a dependency, and timeouts that do not count the time during which the page was frozen. */

/** Runs `then` in `ms` milliseconds. @returns cancel */
export function runAfter(ms: number, then: () => void): () => void {
  const timer = setTimeout(then, ms);
  return () => clearTimeout(timer);
}

/** Delay that a busy page can cause; milliseconds. */
const busyMs = 2_000;
/** Delay that a hidden page can cause, since browsers let its timers fire once a minute; milliseconds. */
const hiddenMs = 70_000;

interface Timeout {
  readonly ms: number;
  readonly then: () => void;
  dueAt: number;
  forgiven: boolean;
}

/**
 * Timeouts that extend the time after a freeze.
 *
 * When a browser freezes the page and its workers, or the computer sleeps, all timers fire at once afterwards, although
 * no work could be done in that time. A timer that fires far too late therefore waits again, for the length of the
 * delay but at most for its own time. A delay that a hidden page can cause is forgiven only once.
 *
 * All timeouts share one timer of the browser, which is left running when a timeout is cancelled: setting and clearing
 * one for each short call costs more than the rest of its bookkeeping.
 */
export class PatientTimers {
  readonly #timeouts = new Set<Timeout>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #firesAt = Infinity;

  /** Runs `then` in `ms` milliseconds. @returns cancel */
  after(ms: number, then: () => void): () => void {
    const timeout = { ms, then, dueAt: performance.now() + ms, forgiven: false };
    this.#timeouts.add(timeout);
    this.#fireBy(timeout.dueAt, ms);
    return () => this.#timeouts.delete(timeout);
  }

  /** Cancels all timeouts, and the browser's timer. */
  clear(): void {
    this.#timeouts.clear();
    clearTimeout(this.#timer);
    this.#firesAt = Infinity;
  }

  #fireBy(at: number, ms: number): void {
    if (at >= this.#firesAt) return;
    clearTimeout(this.#timer);
    this.#firesAt = at;
    this.#timer = setTimeout(() => this.#fire(), ms);
  }

  #fire(): void {
    const now = performance.now();
    // Browsers may round the time of a timer.
    const firedFor = Math.max(now, this.#firesAt);
    this.#firesAt = Infinity;
    const due = [...this.#timeouts].filter(({ dueAt }) => dueAt <= firedFor);
    for (const timeout of due) {
      const late = now - timeout.dueAt;
      if (late < (timeout.forgiven ? hiddenMs : busyMs)) {
        // An earlier timeout may have cancelled this one.
        if (this.#timeouts.delete(timeout)) timeout.then();
        continue;
      }
      timeout.forgiven = true;
      timeout.dueAt = performance.now() + Math.min(timeout.ms, late);
    }
    let next = Infinity;
    for (const { dueAt } of this.#timeouts) next = Math.min(next, dueAt);
    if (next < Infinity) this.#fireBy(next, next - performance.now());
  }
}

/** Runs `then` in `ms` milliseconds, as {@link PatientTimers} do. @returns cancel */
export function patientTimeout(ms: number, then: () => void): () => void {
  const timers = new PatientTimers();
  timers.after(ms, then);
  return () => timers.clear();
}
