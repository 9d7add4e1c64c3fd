/** Writes what was appended behind the one who appends: in order, one transaction after the other, or not at all. */

import type { KeptEvent } from './session-store.ts';

export interface EventWriterEffects {
  /** @returns false where another page has written */
  append(events: readonly KeptEvent[]): Promise<boolean>;
  /** Some of what was ever added, from that number on; empty where that is all. */
  since(n: number, most: number): readonly KeptEvent[];
  /** They are kept, or go on in memory, since storage has failed. */
  onWritten(events: readonly KeptEvent[]): void;
  /** Another page has written; nothing is written any more. */
  onConflict(): void;
  /** Told what storage failed with; from then on nothing is kept, until {@link onRecovery}. */
  onFailure(thrown: unknown): void;
  /** All that was added is kept again. */
  onRecovery(): void;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** Storage has failed: what comes is taken for written. */
interface Failed {
  /** What the store lacks from there on; null: nobody knows what it has, and nothing is written any more. */
  from: number | null;
  /** When it is tried again, with what is added then; milliseconds since the epoch. */
  next: number;
  pause: number;
}

/** One transaction of more would keep others waiting. */
const mostAtOnce = 500;
/** Another page that wrote while it lost the session to this one is soon done. */
const mostConflicts = 3;
/** Before a store that has failed is tried again; each time twice as long. Milliseconds. */
const firstPause = 10_000;
const longestPause = 5 * 60_000;

export class EventWriter {
  readonly #effects: EventWriterEffects;
  /** What comes waits. */
  #isHeld = true;
  #failed: Failed | null = null;
  #waiting: KeptEvent[] = [];
  #work: Promise<void> | null = null;
  #conflicts = 0;

  constructor(effects: EventWriterEffects) {
    this.#effects = effects;
  }

  get keeps(): boolean {
    return this.#failed === null;
  }

  /** Begins to write at once, where nothing is being written. */
  add(events: readonly KeptEvent[]): void {
    // One by one: of a copy there can be more than a call takes.
    for (const event of events) this.#waiting.push(event);
    this.#go();
  }

  /** What was added and will be is written. */
  start(): void {
    this.#isHeld = false;
    this.#go();
  }

  /** What is added waits for {@link start}. */
  hold(): void {
    this.#isHeld = true;
  }

  /** Nothing of what waits is written any more. @returns it */
  drop(): KeptEvent[] {
    return this.#waiting.splice(0);
  }

  /** Storage does not work, and what it has is not what was added here: it is not tried again. */
  fail(thrown: unknown): void {
    this.#fail(thrown, null);
  }

  /** Storage has refused something else. @param next the number of the event that is to come next */
  falter(thrown: unknown, next: number): void {
    // What is being written will tell.
    if (this.#work === null && this.#waiting.length === 0) this.#fail(thrown, next);
  }

  /** What was added is what the store has, whatever has been. */
  recover(): void {
    if (this.#failed === null) return;
    this.#failed = null;
    this.#effects.onRecovery();
  }

  /** When nothing is left to be written, as far as it is to be at all. */
  async written(): Promise<void> {
    while (this.#work !== null) await this.#work;
  }

  #fail(thrown: unknown, from: number | null): void {
    if (this.#failed !== null) return;
    this.#failed = { from, pause: firstPause, next: this.#effects.now() + firstPause };
    this.#effects.onFailure(thrown);
    this.#go();
  }

  #go(): void {
    if (this.#failed !== null && this.#waiting.length > 0) this.#effects.onWritten(this.drop());
    if (this.#isHeld || this.#work !== null) return;
    const isDue = this.#failed === null ? this.#waiting.length > 0 : this.#isDue(this.#failed);
    if (!isDue) return;
    const work = this.#failed === null ? this.#write() : this.#catchUp(this.#failed);
    this.#work = work.finally(() => {
      this.#work = null;
      this.#go();
    });
  }

  #isDue({ from, next }: Failed): boolean {
    return from !== null && this.#effects.now() >= next;
  }

  async #write(): Promise<void> {
    const events = this.#waiting.slice(0, mostAtOnce);
    const from = events[0]?.n ?? null;
    let isWritten: boolean;
    let isAgain = false;
    try {
      try {
        isWritten = await this.#effects.append(events);
      } catch {
        // A store that has failed once, as one that was closed, may take it the second time.
        isAgain = true;
        isWritten = await this.#effects.append(events);
      }
      if (!isWritten) {
        this.#conflict(isAgain);
        return;
      }
      // It may have been dropped meanwhile.
      if (this.#waiting[0] === events[0]) this.#waiting.splice(0, events.length);
      this.#effects.onWritten(events);
    } catch (thrown) {
      this.#fail(thrown, from);
    }
  }

  /** @param isAgain nobody knows then whether it is this page's own writing that is there */
  #conflict(isAgain: boolean): void {
    this.#conflicts += 1;
    if (isAgain || this.#conflicts > mostConflicts)
      this.fail(new Error('Another page writes to it as well.'));
    else {
      this.#isHeld = true;
      this.#effects.onConflict();
    }
  }

  /** Writes all that the store lacks, in order. */
  async #catchUp(failed: Failed): Promise<void> {
    try {
      // Where another page writes from here on, this one has been told to hold.
      while (failed.from !== null && !this.#isHeld && this.#failed === failed) {
        const events = this.#effects.since(failed.from, mostAtOnce);
        if (events.length === 0) this.recover();
        // Else another page has gone on with what the store had.
        else
          failed.from = (await this.#effects.append(events)) ? failed.from + events.length : null;
      }
    } catch {
      failed.pause = Math.min(2 * failed.pause, longestPause);
      failed.next = this.#effects.now() + failed.pause;
    }
  }
}
