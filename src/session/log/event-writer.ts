/** Writes appended events to the store: in order, in one transaction after the other, and again after a failure. */

import type { StoredEvent } from './session-store.ts';

export interface EventWriterDeps {
  /** Stores events. @returns false where another tab has written */
  append(events: readonly StoredEvent[]): Promise<boolean>;
  /** The events from number `n` on, at most `max`; empty where there are none. */
  since(n: number, max: number): readonly StoredEvent[];
  /** Called when events are stored, or stay in memory since storage has failed. */
  onWritten(events: readonly StoredEvent[]): void;
  /** Called when another tab has written. Nothing is written until {@link EventWriter.start}. */
  onConflict(): void;
  /** Called when storage fails. Nothing is stored until {@link onRecovery}. */
  onFailure(thrown: unknown): void;
  /** Called when everything is stored again. */
  onRecovery(): void;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** Storage has failed; new events count as written. */
interface Failure {
  /** The first event that the store lacks; null where that is unknown, and nothing can be written. */
  from: number | null;
  /** When to try again; milliseconds since the epoch. */
  retryAt: number;
  delay: number;
}

/** Events in one transaction: larger ones would hold up others. */
const maxAtOnce = 500;
/** A tab that loses the session to this one may write a few times more. */
const maxConflicts = 3;
/** Before a failed store is tried again; doubled each time. Milliseconds. */
const firstDelay = 10_000;
const maxDelay = 5 * 60_000;

export class EventWriter {
  readonly #deps: EventWriterDeps;
  #isHeld = true;
  #failure: Failure | null = null;
  #waiting: StoredEvent[] = [];
  #work: Promise<void> | null = null;
  #conflicts = 0;

  constructor(deps: EventWriterDeps) {
    this.#deps = deps;
  }

  get works(): boolean {
    return this.#failure === null;
  }

  /** Writes at once, unless a write is in progress. */
  add(events: readonly StoredEvent[]): void {
    // One by one: there can be more than a call has arguments.
    for (const event of events) this.#waiting.push(event);
    this.#continue();
  }

  /** Writes what was added, and what will be. */
  start(): void {
    this.#isHeld = false;
    this.#continue();
  }

  /** Lets added events wait for {@link start}. */
  hold(): void {
    this.#isHeld = true;
  }

  /** Discards the events that wait. @returns them */
  drop(): StoredEvent[] {
    return this.#waiting.splice(0);
  }

  /** Stops storing for good: the store does not have what was added here. */
  fail(thrown: unknown): void {
    this.#fail(thrown, null);
  }

  /** Reports that storage failed for something else, such as a draft. @param next the number of the next event */
  failedFrom(thrown: unknown, next: number): void {
    // Otherwise the write in progress will show it.
    if (this.#work === null && this.#waiting.length === 0) this.#fail(thrown, next);
  }

  /** Ends a failure: the store has everything. */
  recover(): void {
    if (this.#failure === null) return;
    this.#failure = null;
    this.#deps.onRecovery();
  }

  /** Resolves when nothing is left to write. */
  async written(): Promise<void> {
    while (this.#work !== null) await this.#work;
  }

  #fail(thrown: unknown, from: number | null): void {
    if (this.#failure !== null) return;
    this.#failure = { from, delay: firstDelay, retryAt: this.#deps.now() + firstDelay };
    this.#deps.onFailure(thrown);
    this.#continue();
  }

  #continue(): void {
    if (this.#failure !== null && this.#waiting.length > 0) this.#deps.onWritten(this.drop());
    if (this.#isHeld || this.#work !== null) return;
    const isReady =
      this.#failure === null ? this.#waiting.length > 0 : this.#isReady(this.#failure);
    if (!isReady) return;
    const work = this.#failure === null ? this.#write() : this.#catchUp(this.#failure);
    this.#work = work.finally(() => {
      this.#work = null;
      this.#continue();
    });
  }

  #isReady({ from, retryAt }: Failure): boolean {
    return from !== null && this.#deps.now() >= retryAt;
  }

  async #write(): Promise<void> {
    const events = this.#waiting.slice(0, maxAtOnce);
    const from = events[0]?.n ?? null;
    let isWritten: boolean;
    let isRetry = false;
    try {
      try {
        isWritten = await this.#deps.append(events);
      } catch {
        // A store that fails once, for example since it was closed, may work the second time.
        isRetry = true;
        isWritten = await this.#deps.append(events);
      }
      if (!isWritten) {
        this.#conflict(isRetry);
        return;
      }
      // The events may have been dropped meanwhile.
      if (this.#waiting[0] === events[0]) this.#waiting.splice(0, events.length);
      this.#deps.onWritten(events);
    } catch (thrown) {
      this.#fail(thrown, from);
    }
  }

  /** @param isRetry the conflict may be with this tab's own first attempt */
  #conflict(isRetry: boolean): void {
    this.#conflicts += 1;
    if (isRetry || this.#conflicts > maxConflicts)
      this.fail(new Error('Another tab is also writing to it.'));
    else {
      this.#isHeld = true;
      this.#deps.onConflict();
    }
  }

  /** Writes everything that the store lacks. */
  async #catchUp(failure: Failure): Promise<void> {
    try {
      // Stops where another tab writes now: then this one is on hold.
      while (failure.from !== null && !this.#isHeld && this.#failure === failure) {
        const events = this.#deps.since(failure.from, maxAtOnce);
        if (events.length === 0) this.recover();
        // If it is refused, another tab has continued from what the store had.
        else failure.from = (await this.#deps.append(events)) ? failure.from + events.length : null;
      }
    } catch {
      failure.delay = Math.min(2 * failure.delay, maxDelay);
      failure.retryAt = this.#deps.now() + failure.delay;
    }
  }
}
