/** What this page adds to a session: there at once, kept soon, told to the other pages when it is. */

import { createPacer } from '../async/pace.ts';
import type { Limits } from '../spec/limits.ts';
import type { SessionHead } from '../spec/session.ts';
import { DraftPieces } from './draft-pieces.ts';
import type { Grown } from './draft.ts';
import { EventWriter, type EventWriterEffects } from './event-writer.ts';
import { datedFact, keptEvent, writtenEvent, type DatedFact, type Written } from './kept-event.ts';
import type { LogContents } from './log-contents.ts';
import { readLog } from './read-log.ts';
import { Replay } from './reduce.ts';
import type { SessionPages } from './session-claim.ts';
import type { KeptEvent, SessionStore } from './session-store.ts';
import { notKept } from './session-troubles.ts';

export interface LogAdditionsParts {
  readonly store: SessionStore;
  readonly pages: Pick<SessionPages, 'send'>;
  readonly limits: Pick<Limits, 'eventChars'>;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Told that a session goes on in memory. */
  onStorageFailure(message: string): void;
  /** What a list shows of a session that is kept has changed. */
  onHead(head: SessionHead): void;
}

export class LogAdditions {
  readonly #parts: LogAdditionsParts;
  readonly #id: string;
  readonly #contents: LogContents;
  readonly #writer: EventWriter;
  readonly #drafts: DraftPieces;
  #isKept = false;
  #isRemoved = false;
  /** Of a piece that is not kept: those behind it would not fit what is. */
  #gapIn = '';

  /** @param onConflict another page has written; nothing is written until {@link start} */
  constructor(
    parts: LogAdditionsParts,
    id: string,
    contents: LogContents,
    { onConflict, onRecovery }: Pick<EventWriterEffects, 'onConflict' | 'onRecovery'>,
  ) {
    this.#parts = parts;
    this.#id = id;
    this.#contents = contents;
    this.#drafts = new DraftPieces(id);
    this.#writer = new EventWriter({
      append: (events) => this.#keep(events),
      since: (n, most) => this.#contents.events.slice(n, n + most).map(keptEvent),
      onWritten: (events) => this.#spread(events),
      ...{ onConflict, onRecovery },
      now: () => parts.now(),
      onFailure: (thrown) => parts.onStorageFailure(notKept(thrown)),
    });
  }

  /** False: storage has failed, and only this page has all of it. */
  get isInStore(): boolean {
    return this.#writer.keeps;
  }

  get isRemoved(): boolean {
    return this.#isRemoved;
  }

  /** The session is kept from here on, be it without a message. */
  keep(): void {
    this.#isKept = true;
  }

  /** @throws {ToolError} `limit`, `bad-input`; then nothing was added */
  add(facts: readonly DatedFact[]): void {
    const from = this.#contents.events.length;
    const { eventChars } = this.#parts.limits;
    const added = facts.map((fact, at) => writtenEvent({ n: from + at, ...fact }, eventChars));
    this.#contents.add(added.map(({ event }) => event));
    this.#writer.add(added.map(({ n, text }) => ({ n, text })));
    if (!this.#isKept && facts.some(({ type }) => type === 'message')) {
      this.keep();
      this.start();
    }
    if (this.#isKept) this.#parts.onHead(this.#contents.state.head);
  }

  /**
   * As {@link add}, of thousands, to a session that nobody knows yet: in slices, so that they do not hold the page.
   *
   * @throws {ToolError} `limit`, `bad-input`; then nothing was added
   */
  async copy(facts: readonly DatedFact[]): Promise<void> {
    const contents = this.#contents;
    const pacer = createPacer();
    const replay = new Replay(contents.nothing);
    const written: Written[] = [];
    for (const [n, fact] of facts.entries()) {
      const one = writtenEvent({ n, ...fact }, this.#parts.limits.eventChars);
      written.push(one);
      replay.apply(one.event);
      if (pacer.due()) await pacer.rest();
    }
    const events = written.map(({ event }) => event);
    contents.replace({ events, state: replay.state, damage: null });
    this.#writer.add(written.map(({ n, text }) => ({ n, text })));
    this.keep();
    this.start();
    this.#parts.onHead(contents.state.head);
  }

  async draft(stepId: string, grown: Grown): Promise<void> {
    const piece = this.#drafts.piece(stepId, grown);
    this.#parts.pages.send({ type: 'draft', ...piece });
    if (!this.isInStore || this.#isRemoved) this.#gapIn = stepId;
    if (this.#gapIn === stepId) return;
    const { store } = this.#parts;
    try {
      await store.draft(piece).catch(() => store.draft(piece));
    } catch (thrown) {
      this.#gapIn = stepId;
      this.#writer.falter(thrown, this.#contents.events.length);
    }
  }

  /** What was added is written, where it is to be kept. */
  start(): void {
    if (this.#isKept && !this.#isRemoved) this.#writer.start();
  }

  /** What is here is what the store has. */
  startAnew(): void {
    this.#writer.recover();
    this.start();
  }

  /** Another page writes: what is not written yet never will be. */
  stop(): void {
    this.#writer.hold();
    this.#writer.drop();
  }

  /** While it is removed, nothing is written. */
  setRemoved(removed: boolean): void {
    this.#isRemoved = removed;
    if (removed) this.#writer.hold();
  }

  fail(thrown: unknown): void {
    this.#writer.fail(thrown);
  }

  written(): Promise<void> {
    return this.#writer.written();
  }

  /**
   * Puts what is not written yet behind what another page has written.
   *
   * @param isStillOurs asked when that is known
   * @throws what the store rejects with
   */
  async addAnew(isStillOurs: () => boolean): Promise<void> {
    const read = await readLog(this.#parts.store, this.#id, this.#contents.nothing);
    if (!isStillOurs()) return;
    const [first] = this.#writer.drop();
    const own = first === undefined ? [] : this.#contents.events.slice(first.n).map(datedFact);
    this.#contents.replace(read);
    this.add(own);
    this.start();
  }

  #keep(events: readonly KeptEvent[]): Promise<boolean> {
    const { state, events: all } = this.#contents;
    const over = events.flatMap(({ n }) => {
      const event = all[n];
      return event?.type === 'step-ended' ? [event.stepId] : [];
    });
    return this.#parts.store.append(this.#id, JSON.stringify(state.head), events, over);
  }

  #spread(written: readonly KeptEvent[]): void {
    const [first] = written;
    if (first === undefined) return;
    const { pages } = this.#parts;
    const session = this.#id;
    const events = written.map(({ text }) => text);
    pages.send({ type: 'events', session, from: first.n, events });
    const head = JSON.stringify(this.#contents.state.head);
    pages.send({ type: 'head', session, head });
  }
}
