/** Adds events and drafts to a session that this tab writes: first to memory, then to the store, then to other tabs. */

import { createPacer } from '../../../runtime/async/pace.ts';
import type { Limits } from '../../../runtime/spec/limits.ts';
import type { SessionHead } from '../../../runtime/spec/session.ts';
import { Replay } from '../reduce.ts';
import { storageFailure } from '../session-errors.ts';
import type { DraftDelta } from './draft.ts';
import {
  omitNumber,
  encodeEvent,
  encodeValidEvent,
  type DatedFact,
  type EncodedEvent,
} from './event-format.ts';
import { EventWriter, type EventWriterDeps, type WriteWait } from './event-writer.ts';
import { readLog, type LogContents } from './log-contents.ts';
import type { SessionPages } from './session-claim.ts';
import type { SessionStore, StoredEvent } from './session-store.ts';

export interface LogWriterDeps {
  readonly store: SessionStore;
  readonly pages: Pick<SessionPages, 'send'>;
  readonly limits: Pick<Limits, 'eventChars'>;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Called when a session continues in memory only. */
  onStorageFailure(message: string): void;
  /** Called when the head of a stored session has changed. */
  onHead(head: SessionHead): void;
}

/**
 * The events around a turn's requests are stored in few transactions, since each takes processor time that the next
 * request needs; the same holds for the calls of a program. All other events, above all the start of a call, are stored
 * at once.
 */
const waits: Partial<Record<DatedFact['type'], WriteWait>> = {
  // A call of a sub-agent waits until everything is stored.
  'step-ended': 'next-events',
  // The end of a call that Cloche answered itself, or refused. The call had no effect.
  'call-ended': 'next-events',
  'handed-over': 'next-events',
  'step-began': 'next-events',
  // A program makes a call every few milliseconds. Its own start is stored at once, and it is never run again.
  'nested-began': 'next-events',
  'nested-ended': 'next-events',
};

export class LogWriter {
  readonly events: EventWriter;
  readonly #deps: LogWriterDeps;
  readonly #id: string;
  readonly #contents: LogContents;
  #isStored = false;
  #isRemoved = false;
  /** The step of the latest draft, the number of its next piece, and when the beginning of the step is stored. */
  #draft = { stepId: '', piece: 0, begun: Promise.resolve() };
  /** The id of a step with a piece that is not stored: later pieces would not fit. */
  #gapIn = '';

  constructor(
    deps: LogWriterDeps,
    id: string,
    contents: LogContents,
    { onConflict, onRecovery }: Pick<EventWriterDeps, 'onConflict' | 'onRecovery'>,
  ) {
    this.#deps = deps;
    this.#id = id;
    this.#contents = contents;
    this.events = new EventWriter({
      append: (events) => this.#store(events),
      since: (n, max) => this.#contents.events.slice(n, n + max).map(encodeValidEvent),
      onWritten: (events) => this.#publish(events),
      onConflict,
      onRecovery,
      now: () => deps.now(),
      onFailure: (thrown) => deps.onStorageFailure(storageFailure(thrown)),
    });
  }

  get isRemoved(): boolean {
    return this.#isRemoved;
  }

  /** Stores the session from now on, even without a message. */
  keep(): void {
    this.#isStored = true;
  }

  /**
   * Adds events.
   *
   * @throws {ToolError} `limit`, `bad-input`; nothing is added then
   */
  add(facts: readonly DatedFact[]): void {
    const from = this.#contents.events.length;
    const { eventChars } = this.#deps.limits;
    const added = facts.map((fact, index) => encodeEvent({ n: from + index, ...fact }, eventChars));
    const wait = this.#waitOf(facts);
    this.#contents.add(added.map(({ event }) => event));
    this.events.add(
      added.map(({ n, text }) => ({ n, text })),
      wait,
    );
    if (!this.#isStored && facts.some(({ type }) => type === 'message')) {
      this.keep();
      this.start();
    }
    if (this.#isStored) this.#deps.onHead(this.#contents.state.head);
  }

  /**
   * Fills and stores a new session with thousands of facts, in slices that do not block the page.
   *
   * @throws {ToolError} `limit`, `bad-input`; nothing is added then
   */
  async copy(facts: readonly DatedFact[]): Promise<void> {
    const contents = this.#contents;
    const pacer = createPacer();
    const replay = new Replay(contents.emptyState);
    const encoded: EncodedEvent[] = [];
    for (const [n, fact] of facts.entries()) {
      const one = encodeEvent({ n, ...fact }, this.#deps.limits.eventChars);
      encoded.push(one);
      replay.apply(one.event);
      if (pacer.mustRest()) await pacer.rest();
    }
    const events = encoded.map(({ event }) => event);
    contents.replace({ events, state: replay.state, damage: null });
    this.events.add(encoded.map(({ n, text }) => ({ n, text })));
    this.keep();
    this.start();
    this.#deps.onHead(contents.state.head);
  }

  async draft(stepId: string, delta: DraftDelta): Promise<void> {
    if (this.#draft.stepId !== stepId)
      this.#draft = { stepId, piece: 0, begun: this.events.flush() };
    const { piece: number, begun } = this.#draft;
    this.#draft.piece += 1;
    const grown = JSON.stringify(delta);
    const piece = { session: this.#id, stepId, piece: number, grown };
    const { pages, store } = this.#deps;
    pages.send({ type: 'draft', ...piece });
    // A draft without the beginning of its step would be lost if the page closes.
    await begun;
    // Nothing would delete a draft that is stored after the end of its step.
    if (this.#hasEnded(stepId)) return;
    if (!this.events.works || this.#isRemoved) this.#gapIn = stepId;
    if (this.#gapIn === stepId) return;
    try {
      await store.draft(piece).catch(() => store.draft(piece));
    } catch (thrown) {
      this.#gapIn = stepId;
      this.events.failedFrom(thrown, this.#contents.events.length);
    }
  }

  /** Writes the added events, if the session is to be stored. */
  start(): void {
    if (this.#isStored && !this.#isRemoved) this.events.start();
  }

  /** Starts writing when memory and store are identical. */
  startFresh(): void {
    this.events.recover();
    this.start();
  }

  /** Stops for another tab, and discards events that are not written yet. */
  stop(): void {
    this.events.hold();
    this.events.drop();
  }

  /** While the session is removed, nothing is written. */
  setRemoved(removed: boolean): void {
    this.#isRemoved = removed;
    if (removed) this.events.hold();
  }

  /**
   * Adds the events that are not written yet after those that another tab has written.
   *
   * @param isStillOurs called after reading; false cancels
   * @throws the error of the store
   */
  async rebase(isStillOurs: () => boolean): Promise<void> {
    const read = await readLog(this.#deps.store, this.#id, this.#contents.emptyState);
    if (!isStillOurs()) return;
    const [first] = this.events.drop();
    const laterFacts =
      first === undefined ? [] : this.#contents.events.slice(first.n).map(omitNumber);
    this.#contents.replace(read);
    this.add(laterFacts);
    this.start();
  }

  /** The shortest wait of any of the facts. */
  #waitOf(facts: readonly DatedFact[]): WriteWait {
    const all = new Set(facts.map((fact) => this.#waitOfOne(fact)));
    return all.has('no') ? 'no' : all.has('next-task') ? 'next-task' : 'next-events';
  }

  #waitOfOne(fact: DatedFact): WriteWait {
    const { calls } = this.#contents.state;
    // Stored with the beginning of the next step, as soon as that step's request has been sent.
    if (fact.type === 'call-ended' && calls.get(fact.callId)?.phase === 'running')
      return 'next-task';
    return waits[fact.type] ?? 'no';
  }

  #hasEnded(stepId: string): boolean {
    return this.#contents.state.entries.some(
      (entry) => entry.kind === 'step' && entry.stepId === stepId && entry.finish !== null,
    );
  }

  #store(events: readonly StoredEvent[]): Promise<boolean> {
    const { state, events: all } = this.#contents;
    const endedSteps = events.flatMap(({ n }) => {
      const event = all[n];
      return event?.type === 'step-ended' ? [event.stepId] : [];
    });
    return this.#deps.store.append(this.#id, JSON.stringify(state.head), events, endedSteps);
  }

  /** Sends written events to the other tabs. */
  #publish(written: readonly StoredEvent[]): void {
    const [first] = written;
    if (first === undefined) return;
    const { pages } = this.#deps;
    const session = this.#id;
    const events = written.map(({ text }) => text);
    pages.send({ type: 'events', session, from: first.n, events });
    pages.send({ type: 'head', session, head: JSON.stringify(this.#contents.state.head) });
  }
}
