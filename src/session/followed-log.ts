/** A log that another page writes: from what that page tells, and where something was missed, from the store. */

import type { SessionMessage } from '../protocol/session-pages.ts';
import type { SessionEvent } from '../spec/session.ts';
import { FollowedStep } from './followed-step.ts';
import type { LogContents } from './log-contents.ts';
import { readEvent } from './read-event.ts';
import { readLog } from './read-log.ts';
import type { StepUnderWay } from './session-log.ts';
import type { SessionStore } from './session-store.ts';

type Told = Extract<SessionMessage, { type: 'events' | 'draft' }>;

export class FollowedLog {
  readonly #store: SessionStore;
  readonly #session: string;
  readonly #contents: LogContents;
  readonly #onChange: () => void;
  readonly #step: FollowedStep;
  #reading: Promise<unknown> = Promise.resolve();
  #isReading = false;
  /** Something came while the store was read: it may not be in what was read. */
  #missed = false;

  constructor(store: SessionStore, session: string, contents: LogContents, onChange: () => void) {
    this.#store = store;
    this.#session = session;
    this.#contents = contents;
    this.#onChange = onChange;
    this.#step = new FollowedStep(store, session, onChange);
  }

  get step(): StepUnderWay | null {
    return this.#step.step;
  }

  hear(told: Told): void {
    if (this.#isReading) this.#missed = true;
    else if (told.type === 'draft') this.#hearDraft(told);
    else this.#hearEvents(told);
  }

  /**
   * Reads what the store has.
   *
   * @param anew all of it, in place of what is known; else what it has beyond that
   * @returns whether the store has anything of this session
   * @throws what the store rejects with
   */
  read(anew: boolean): Promise<boolean> {
    const reading = this.#reading.then(() => this.#read(anew));
    this.#reading = reading.catch(() => undefined);
    return reading;
  }

  async #read(anew: boolean): Promise<boolean> {
    const contents = this.#contents;
    this.#isReading = true;
    try {
      this.#missed = false;
      const read = await readLog(
        this.#store,
        this.#session,
        anew ? contents.nothing : contents.state,
      );
      // What was removed for good can still be looked at here.
      if (anew && read.events.length === 0 && contents.events.length > 0) return false;
      if (anew) contents.replace(read);
      else contents.extend(read);
    } finally {
      this.#isReading = false;
    }
    if (this.#wasMissed()) await this.#read(false);
    await this.#readStep();
    this.#onChange();
    return contents.events.length > 0;
  }

  #wasMissed(): boolean {
    return this.#missed;
  }

  async #readStep(): Promise<void> {
    const { entries } = this.#contents.state;
    const open = entries.findLast((entry) => entry.kind === 'step');
    if (open?.finish === null) await this.#step.read(open.stepId);
    else this.#step.clear();
  }

  #hearEvents({ from, events }: Extract<Told, { type: 'events' }>): void {
    const known = this.#contents.events.length;
    const next: SessionEvent[] = [];
    let isWhole = from <= known;
    for (const text of isWhole ? events.slice(known - from) : []) {
      const { event } = readEvent(text, known + next.length);
      isWhole &&= event !== undefined;
      if (event === undefined) break;
      next.push(event);
    }
    if (next.length > 0) {
      this.#contents.add(next);
      if (next.some(({ type }) => type === 'step-ended')) this.#step.clear();
      this.#onChange();
    }
    if (!isWhole) this.#readBehind();
  }

  #hearDraft(draft: Extract<Told, { type: 'draft' }>): void {
    const isOver = this.#contents.state.entries.some(
      (entry) => entry.kind === 'step' && entry.stepId === draft.stepId && entry.finish !== null,
    );
    if (!isOver) this.#step.hear(draft);
  }

  #readBehind(): void {
    // What cannot be read now is missed again by the next message.
    this.read(false).catch(() => undefined);
  }
}
