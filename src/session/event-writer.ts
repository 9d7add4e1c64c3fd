/** Writes what was appended behind the one who appends: in order, one transaction after the other, or not at all. */

import type { KeptEvent } from './session-store.ts';

export interface EventWriterEffects {
  /** @returns false where another page has written */
  append(events: readonly KeptEvent[]): Promise<boolean>;
  /** They are kept, or never will be, since storage has failed. */
  onWritten(events: readonly KeptEvent[]): void;
  /** Another page has written; nothing is written any more. */
  onConflict(): void;
  /** Told once what storage failed with; from then on nothing is kept. */
  onFailure(thrown: unknown): void;
}

/** One transaction of more would keep others waiting. */
const mostAtOnce = 500;
/** Another page that wrote while it lost the session to this one is soon done. */
const mostConflicts = 3;

export class EventWriter {
  readonly #effects: EventWriterEffects;
  /** `held`: what comes waits; `memory`: it is taken for written. */
  #mode: 'held' | 'on' | 'memory' = 'held';
  #waiting: KeptEvent[] = [];
  #work: Promise<void> | null = null;
  #conflicts = 0;

  constructor(effects: EventWriterEffects) {
    this.#effects = effects;
  }

  get keeps(): boolean {
    return this.#mode !== 'memory';
  }

  /** Begins to write at once, where nothing is being written. */
  add(events: readonly KeptEvent[]): void {
    // One by one: of a copy there can be more than a call takes.
    for (const event of events) this.#waiting.push(event);
    this.#go();
  }

  /** What was added and will be is written. */
  start(): void {
    if (this.#mode === 'held') this.#mode = 'on';
    this.#go();
  }

  /** What is added waits for {@link start}. */
  hold(): void {
    if (this.#mode === 'on') this.#mode = 'held';
  }

  /** Nothing of what waits is written any more. @returns it */
  drop(): KeptEvent[] {
    return this.#waiting.splice(0);
  }

  /** Storage does not work. */
  fail(thrown: unknown): void {
    if (this.#mode === 'memory') return;
    this.#mode = 'memory';
    this.#effects.onFailure(thrown);
    this.#go();
  }

  /** When nothing is left to be written, as far as it is to be at all. */
  async written(): Promise<void> {
    while (this.#work !== null) await this.#work;
  }

  #go(): void {
    if (this.#mode === 'memory') {
      if (this.#waiting.length > 0) this.#effects.onWritten(this.drop());
      return;
    }
    if (this.#mode === 'held' || this.#waiting.length === 0) return;
    this.#work ??= this.#write().finally(() => {
      this.#work = null;
      this.#go();
    });
  }

  async #write(): Promise<void> {
    const events = this.#waiting.slice(0, mostAtOnce);
    try {
      const isWritten = await this.#effects.append(events);
      if (!isWritten) {
        this.#conflicts += 1;
        if (this.#conflicts > mostConflicts) throw new Error('Another page writes to it as well.');
        this.#mode = 'held';
        this.#effects.onConflict();
        return;
      }
      // It may have been dropped meanwhile.
      if (this.#waiting[0] === events[0]) this.#waiting.splice(0, events.length);
      this.#effects.onWritten(events);
    } catch (thrown) {
      this.fail(thrown);
    }
  }
}
