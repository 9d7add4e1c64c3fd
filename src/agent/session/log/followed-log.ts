/** Follows a session that another tab writes, through its messages and, if one was missed, through the store. */

import type { SessionMessage } from '../../../runtime/protocol/session-pages.ts';
import type { SessionEvent } from '../../../runtime/spec/session.ts';
import { applyDelta, type DraftPart, type StepInProgress } from './draft.ts';
import { readDelta, readEvent } from './event-format.ts';
import { readLog, type LogContents } from './log-contents.ts';
import type { SessionStore } from './session-store.ts';

type EventsMessage = Extract<SessionMessage, { type: 'events' }>;
type DraftMessage = Extract<SessionMessage, { type: 'draft' }>;

export interface FollowedLogDeps {
  readonly session: string;
  readonly store: SessionStore;
  readonly contents: LogContents;
  readonly onChange: () => void;
}

export class FollowedLog {
  readonly #deps: FollowedLogDeps;
  #reading: Promise<unknown> = Promise.resolve();
  #isReading = false;
  /** Messages that arrived during a read, whose result may not include them. */
  #missed = 0;
  #step: StepInProgress | null = null;
  /** The number of draft pieces that the step consists of. */
  #pieces = 0;
  /** Counts ended steps, to detect a step that ends during a read. */
  #endedSteps = 0;

  constructor(deps: FollowedLogDeps) {
    this.#deps = deps;
  }

  get step(): StepInProgress | null {
    return this.#step;
  }

  receive(message: EventsMessage | DraftMessage): void {
    if (this.#isReading) this.#missed += 1;
    else if (message.type === 'draft') this.#receiveDraft(message);
    else this.#receiveEvents(message);
  }

  /**
   * Reads the store.
   *
   * @param part `all` replaces the known events; `later` reads only those that follow them
   * @returns whether the store has the session
   * @throws the error of the store
   */
  read(part: 'all' | 'later'): Promise<boolean> {
    const reading = this.#reading.then(() => this.#read(part));
    this.#reading = reading.catch(() => undefined);
    return reading;
  }

  async #read(part: 'all' | 'later'): Promise<boolean> {
    const { contents, session, store } = this.#deps;
    const whole = part === 'all';
    this.#isReading = true;
    this.#missed = 0;
    try {
      const known = whole ? contents.emptyState : contents.state;
      const read = await readLog(store, session, known);
      // The session was deleted. What this tab knows of it can still be shown.
      if (whole && read.events.length === 0 && contents.events.length > 0) return false;
      if (whole) contents.replace(read);
      else contents.extend(read);
    } finally {
      this.#isReading = false;
    }
    if (this.#missed > 0) await this.#read('later');
    const last = contents.state.entries.findLast((entry) => entry.kind === 'step');
    if (last?.finish === null) await this.#readStep(last.stepId);
    else this.#clearStep();
    this.#deps.onChange();
    return contents.events.length > 0;
  }

  #receiveEvents({ from, events }: EventsMessage): void {
    const known = this.#deps.contents.events.length;
    const next: SessionEvent[] = [];
    let isComplete = from <= known;
    for (const text of isComplete ? events.slice(known - from) : []) {
      const { event } = readEvent(text, known + next.length);
      isComplete &&= event !== undefined;
      if (event === undefined) break;
      next.push(event);
    }
    if (next.length > 0) {
      this.#deps.contents.add(next);
      if (next.some(({ type }) => type === 'step-ended')) this.#clearStep();
      this.#deps.onChange();
    }
    // If the read fails, the next message causes another one.
    if (!isComplete) this.read('later').catch(() => undefined);
  }

  #receiveDraft({ stepId, piece, grown }: DraftMessage): void {
    const hasEnded = this.#deps.contents.state.entries.some(
      (entry) => entry.kind === 'step' && entry.stepId === stepId && entry.finish !== null,
    );
    if (hasEnded) return;
    const isKnown = this.#step?.stepId === stepId;
    const pieces = isKnown ? this.#pieces : 0;
    if (piece < pieces) return;
    const delta = piece === pieces ? readDelta(grown) : null;
    const parts = isKnown && this.#step !== null ? this.#step.parts : [];
    if (delta === null) void this.#readStep(stepId);
    else this.#setStep({ stepId, parts: applyDelta(parts, delta) }, piece + 1);
  }

  /**
   * Reads the draft of a step. Never rejects: a draft that cannot be read is replaced by the step's
   * end.
   */
  async #readStep(stepId: string): Promise<void> {
    const endedSteps = this.#endedSteps;
    const { session, store } = this.#deps;
    const none = { parts: [], pieces: 0 };
    const read = await readDraft(store, session, stepId).catch(() => none);
    const known = this.#step?.stepId === stepId ? this.#pieces : 0;
    // The step may have ended or grown meanwhile.
    if (endedSteps === this.#endedSteps && read.pieces > known)
      this.#setStep({ stepId, parts: read.parts }, read.pieces);
  }

  #setStep(step: StepInProgress, pieces: number): void {
    this.#step = step;
    this.#pieces = pieces;
    this.#deps.onChange();
  }

  #clearStep(): void {
    this.#endedSteps += 1;
    this.#step = null;
    this.#pieces = 0;
  }
}

/**
 * Reads the draft of a step, up to the first damaged piece.
 *
 * @throws the error of the store
 */
export async function readDraft(
  store: SessionStore,
  session: string,
  stepId: string,
): Promise<{ readonly parts: readonly DraftPart[]; readonly pieces: number }> {
  let parts: readonly DraftPart[] = [];
  let pieces = 0;
  for (const text of await store.drafts(session, stepId)) {
    const delta = readDelta(text);
    if (delta === null) break;
    parts = applyDelta(parts, delta);
    pieces += 1;
  }
  return { parts, pieces };
}
