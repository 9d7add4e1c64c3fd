/** Writes appended events to the store: in order, one transaction at a time, and again after a failure. */

import { nextTask } from '../../../runtime/async/pace.ts';
import type { StoredEvent } from './session-store.ts';

export interface EventWriterDeps {
  /**
   * Stores events.
   *
   * @returns false if another tab has written
   */
  append(events: readonly StoredEvent[]): Promise<boolean>;
  /** Returns the events from number `n` on, at most `max`; empty if there are none. */
  since(n: number, max: number): readonly StoredEvent[];
  /** Called when events are stored, or remain in memory because storage has failed. */
  onWritten(events: readonly StoredEvent[]): void;
  /** Called when another tab has written. Nothing is written until {@link EventWriter.start} is called. */
  onConflict(): void;
  /** Called when storage fails. Nothing is stored until {@link onRecovery} is called. */
  onFailure(thrown: unknown): void;
  /** Called when everything is stored again. */
  onRecovery(): void;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** The state after storage has failed; new events are treated as written. */
interface Failure {
  /** The number of the first event that the store lacks; null if nothing more can be written to it. */
  from: number | null;
  /** The time of the next attempt, in milliseconds since the epoch. */
  retryAt: number;
  delay: number;
}

/** When events are written: at once, or later, to be stored in one transaction with others. */
export type WriteWait = 'no' | 'next-task' | 'next-events';

/** Longest time that events wait for the next ones; milliseconds. */
const batchMs = 50;
/** Limit for one transaction; larger ones would delay others. */
const maxAtOnce = 500;
/** A tab that loses the session to this one may still write a few times. */
const maxConflicts = 3;
/** Milliseconds before the next attempt after a failure; doubled each time. */
const firstDelay = 10_000;
const maxDelay = 5 * 60_000;

export class EventWriter {
  readonly #deps: EventWriterDeps;
  #isHeld = true;
  #failure: Failure | null = null;
  #waiting: StoredEvent[] = [];
  #work: Promise<void> | null = null;
  #conflicts = 0;
  /** Whether events that cannot wait were added during a write. */
  #isUrgent = false;
  /** Whether the waiting events will be written in the next task. */
  #isScheduled = false;
  #batchTimer: ReturnType<typeof setTimeout> | null = null;

  constructor(deps: EventWriterDeps) {
    this.#deps = deps;
  }

  get works(): boolean {
    return this.#failure === null;
  }

  /**
   * Writes at once, unless a write is in progress.
   *
   * @param wait writes in the next task instead, or with the next events, in each case together with what is added
   * until then
   */
  add(events: readonly StoredEvent[], wait: WriteWait = 'no'): void {
    // Events are added one at a time: there can be more than a call can have arguments.
    for (const event of events) this.#waiting.push(event);
    if (wait === 'no' || this.#failure !== null) this.#continue();
    else if (wait === 'next-events') this.#continueLater();
    else if (!this.#isScheduled) {
      this.#isScheduled = true;
      void nextTask().then(() => {
        if (this.#isScheduled) this.#continue();
      });
    }
  }

  /** Writes the waiting events, and all later ones. */
  start(): void {
    this.#isHeld = false;
    this.#continue();
  }

  /** Keeps added events waiting until {@link start} is called. */
  hold(): void {
    this.#isHeld = true;
  }

  /**
   * Discards the waiting events.
   *
   * @returns the discarded events
   */
  drop(): StoredEvent[] {
    return this.#waiting.splice(0);
  }

  /** Stops storing for good: the store lacks events that were added here. */
  fail(thrown: unknown): void {
    this.#fail(thrown, null);
  }

  /**
   * Reports a storage failure of something else, such as a draft.
   *
   * @param next the number of the next event
   */
  failedFrom(thrown: unknown, next: number): void {
    // A write in progress will detect the failure itself.
    if (this.#work === null && this.#waiting.length === 0) this.#fail(thrown, next);
  }

  /** Ends a failure after the store has received everything. */
  recover(): void {
    if (this.#failure === null) return;
    this.#failure = null;
    this.#deps.onRecovery();
  }

  /** Resolves when there is nothing left to write. */
  async written(): Promise<void> {
    this.#continue();
    while (this.#work !== null) {
      await this.#work;
      this.#continue();
    }
  }

  /** Writes without waiting for more. Resolves when everything that was added before is written, as far as possible. */
  async flush(): Promise<void> {
    const last = this.#waiting.at(-1)?.n ?? -1;
    const isLeft = (): boolean => (this.#waiting[0]?.n ?? Infinity) <= last;
    this.#continue();
    while (this.#work !== null && isLeft()) {
      await this.#work;
      if (isLeft()) this.#continue();
    }
  }

  #fail(thrown: unknown, from: number | null): void {
    if (this.#failure !== null) return;
    this.#failure = { from, delay: firstDelay, retryAt: this.#deps.now() + firstDelay };
    this.#deps.onFailure(thrown);
    this.#continue();
  }

  #continue(): void {
    this.#isScheduled = false;
    if (this.#batchTimer !== null) clearTimeout(this.#batchTimer);
    this.#batchTimer = null;
    if (this.#failure !== null && this.#waiting.length > 0) this.#deps.onWritten(this.drop());
    this.#isUrgent = this.#work !== null;
    if (this.#isHeld || this.#work !== null) return;
    const isReady =
      this.#failure === null ? this.#waiting.length > 0 : this.#isReady(this.#failure);
    if (!isReady) return;
    const work = this.#failure === null ? this.#write() : this.#catchUp(this.#failure);
    this.#work = work.finally(() => {
      this.#work = null;
      if (this.#isUrgent || this.#failure !== null) this.#continue();
      else if (this.#waiting.length > 0) this.#continueLater();
    });
  }

  #continueLater(): void {
    this.#batchTimer ??= setTimeout(() => this.#continue(), batchMs);
  }

  /** Whether the events that the store lacks can be written now. */
  #isReady({ from, retryAt }: Failure): boolean {
    // @mutant a store that failed is tried again later => from !== null && this.#deps.now() >= retryAt -> false
    return from !== null && this.#deps.now() >= retryAt;
  }

  async #write(): Promise<void> {
    const events = this.#waiting.slice(0, maxAtOnce);
    this.#isUrgent = events.length < this.#waiting.length;
    const from = events[0]?.n ?? null;
    let isWritten: boolean;
    let isRetry = false;
    try {
      try {
        isWritten = await this.#deps.append(events);
      } catch {
        // A store that fails once, for example because it was closed, may work the second time.
        isRetry = true;
        // @mutant a write that failed is tried once more => isWritten = await this.#deps.append(events -> throw new
        //   Error('once'
        isWritten = await this.#deps.append(events);
      }
      if (!isWritten) {
        this.#conflict(isRetry);
        return;
      }
      // The events may have been discarded meanwhile.
      if (this.#waiting[0] === events[0]) this.#waiting.splice(0, events.length);
      this.#deps.onWritten(events);
    } catch (thrown) {
      this.#fail(thrown, from);
    }
  }

  /** @param isRetry whether the conflict may be with this tab's own first attempt */
  #conflict(isRetry: boolean): void {
    this.#conflicts += 1;
    if (isRetry || this.#conflicts > maxConflicts)
      this.fail(new Error('Another tab is also writing to it.'));
    else {
      this.#isHeld = true;
      this.#deps.onConflict();
    }
  }

  /** Writes everything that is missing in the store. */
  async #catchUp(failure: Failure): Promise<void> {
    try {
      // Stops if another tab starts writing, since this writer is then on hold.
      while (failure.from !== null && !this.#isHeld && this.#failure === failure) {
        const events = this.#deps.since(failure.from, maxAtOnce);
        if (events.length === 0) this.recover();
        // If refused, another tab has continued from the stored events.
        else failure.from = (await this.#deps.append(events)) ? failure.from + events.length : null;
      }
    } catch {
      failure.delay = Math.min(2 * failure.delay, maxDelay);
      failure.retryAt = this.#deps.now() + failure.delay;
    }
  }
}
