/** A session that is open in this page: written here, or followed while another page writes it. */

import { createObservers } from '../hooks/observe.ts';
import type { SessionMessage } from '../protocol/session-pages.ts';
import type { Limits } from '../spec/limits.ts';
import type { SessionEvent, SessionFact, SessionHead } from '../spec/session.ts';
import { DraftPieces } from './draft-pieces.ts';
import type { Grown } from './draft.ts';
import { EventWriter } from './event-writer.ts';
import { FollowedLog } from './followed-log.ts';
import { datedFact, writtenEvent, type DatedFact } from './kept-event.ts';
import { LogContents } from './log-contents.ts';
import { readLog } from './read-log.ts';
import { recoveryFacts, type PythonLost } from './recover.ts';
import { SessionClaim, type SessionPages } from './session-claim.ts';
import type { SessionLog, StepUnderWay } from './session-log.ts';
import { fitTitle } from './session-title.ts';
import type { SessionState } from './session-state.ts';
import { damaged, notKept, nothingStored, unreadable } from './session-troubles.ts';
import type { KeptEvent, SessionStore } from './session-store.ts';

export interface KeptLogParts {
  readonly store: SessionStore;
  readonly pages: SessionPages;
  readonly limits: Pick<Limits, 'eventChars'>;
  now(): number;
  newId(): string;
  /** Told what listeners throw. */
  report(thrown: unknown): void;
  /** Told once for each session that it goes on in memory. */
  onStorageFailure(message: string): void;
  /** What a list shows of a session that is kept has changed. */
  onHead(head: SessionHead): void;
}

export class KeptLog implements SessionLog {
  readonly id: string;
  readonly #parts: KeptLogParts;
  readonly #observers;
  readonly #contents: LogContents;
  readonly #writer: EventWriter;
  readonly #claim: SessionClaim;
  readonly #followed: FollowedLog;
  readonly #drafts: DraftPieces;
  readonly #dispose: () => void;
  #writes = false;
  #isKept = false;
  #removed = false;

  private constructor(parts: KeptLogParts, id: string) {
    const { store, pages } = parts;
    this.id = id;
    this.#parts = parts;
    this.#observers = createObservers<null>((thrown) => parts.report(thrown));
    this.#contents = new LogContents(id);
    this.#claim = new SessionClaim(pages, id, () => this.#lose());
    this.#drafts = new DraftPieces(id);
    this.#followed = new FollowedLog(store, id, this.#contents, () => this.#tell());
    this.#writer = new EventWriter({
      append: (events) => this.#keep(events),
      onWritten: (events) => this.#spread(events),
      onConflict: () => this.#collide(),
      onFailure: (thrown) => parts.onStorageFailure(notKept(thrown)),
    });
    this.#dispose = pages.observe((message) => {
      if (message.session === id) this.#hear(message);
    });
  }

  /** A new session. */
  static begin(parts: KeptLogParts, id: string): KeptLog {
    const log = new KeptLog(parts, id);
    log.#writes = true;
    void log.#claim.take(false);
    return log;
  }

  /**
   * One that is kept. What its last page left open is closed, unless another page has it.
   *
   * @param pythonLost why nothing is left of its Python state
   * @throws {ToolError} `not-found`, `storage`
   */
  static async open(parts: KeptLogParts, id: string, pythonLost: PythonLost): Promise<KeptLog> {
    const log = new KeptLog(parts, id);
    log.#isKept = true;
    try {
      if (await log.#claim.take(false)) await log.#becomeWriter(pythonLost);
      else if (!(await log.#followed.read(true))) throw nothingStored(log.#contents.damage);
      return log;
    } catch (thrown) {
      await log.close();
      throw unreadable(thrown);
    }
  }

  get state(): SessionState {
    return this.#contents.state;
  }

  get events(): readonly SessionEvent[] {
    return this.#contents.events;
  }

  get writes(): boolean {
    return this.#writes;
  }

  get following(): StepUnderWay | null {
    return this.#writes ? null : this.#followed.step;
  }

  get removed(): boolean {
    return this.#removed;
  }

  get problem(): string | null {
    return damaged(this.#contents.damage);
  }

  append(...facts: readonly SessionFact[]): boolean {
    const at = this.#parts.now();
    return this.#append(facts.map((fact) => ({ at, ...fact })));
  }

  /** False: storage has failed, and only this page has all of it. */
  get isInStore(): boolean {
    return this.#writer.keeps;
  }

  /** Adds what happened in another session, when it did there. Kept from here on. */
  copy(facts: readonly DatedFact[]): void {
    this.#isKept = true;
    this.#append(facts);
    this.#start();
  }

  async draft(stepId: string, grown: Grown): Promise<void> {
    if (!this.#writes || grown.length === 0) return;
    const piece = this.#drafts.piece(stepId, grown);
    this.#parts.pages.send({ type: 'draft', ...piece });
    if (!this.#writer.keeps || this.#removed) return;
    try {
      await this.#parts.store.draft(piece);
    } catch (thrown) {
      this.#writer.fail(thrown);
    }
  }

  written(): Promise<void> {
    return this.#writer.written();
  }

  observe(listener: () => void): () => void {
    return this.#observers.observe(listener);
  }

  async claim(): Promise<boolean> {
    if (!this.#writes && (await this.#claim.take(false))) await this.#tryToWrite();
    return this.#writes;
  }

  async takeOver(): Promise<void> {
    if (!this.#writes && (await this.#claim.take(true))) await this.#tryToWrite();
  }

  /** It was taken off the list, or put back on it. */
  setRemoved(removed: boolean): void {
    this.#removed = removed;
    if (removed) this.#writer.hold();
    else if (this.#writes) this.#start();
    this.#tell();
  }

  /** Resolves when another page can write. */
  async close(): Promise<void> {
    this.#dispose();
    this.#writes = false;
    await this.written();
    await this.#claim.close();
  }

  #append(facts: readonly DatedFact[]): boolean {
    if (!this.#writes) return false;
    const { eventChars } = this.#parts.limits;
    const from = this.events.length;
    const added = facts.map((fact, index) =>
      writtenEvent({ n: from + index, ...fact }, eventChars),
    );
    this.#contents.add(added.map(({ event }) => event));
    this.#writer.add(added.map(({ n, text }) => ({ n, text })));
    if (!this.#isKept && facts.some(({ type }) => type === 'message')) {
      this.#isKept = true;
      this.#start();
    }
    if (this.#isKept) this.#parts.onHead(this.state.head);
    this.#tell();
    return true;
  }

  #start(): void {
    if (this.#isKept && !this.#removed) this.#writer.start();
  }

  #tell(): void {
    this.#observers.emit(null);
  }

  #keep(events: readonly KeptEvent[]): Promise<boolean> {
    const over = events.flatMap(({ n }) => {
      const event = this.events[n];
      return event?.type === 'step-ended' ? [event.stepId] : [];
    });
    return this.#parts.store.append(this.id, JSON.stringify(this.state.head), events, over);
  }

  #spread(written: readonly KeptEvent[]): void {
    const { pages } = this.#parts;
    const [first] = written;
    if (first === undefined) return;
    const events = written.map(({ text }) => text);
    pages.send({ type: 'events', session: this.id, from: first.n, events });
    pages.send({ type: 'head', session: this.id, head: JSON.stringify(this.state.head) });
  }

  #hear(message: SessionMessage): void {
    switch (message.type) {
      case 'events':
      case 'draft':
        if (!this.#writes) this.#followed.hear(message);
        return;
      case 'removed':
      case 'restored':
        this.setRemoved(message.type === 'removed');
        return;
      case 'title':
        this.append({ type: 'titled', title: fitTitle(message.title), by: 'person' });
        return;
      case 'head':
    }
  }

  /** Another page writes it from here on. */
  #lose(): void {
    if (!this.#writes) return;
    this.#writes = false;
    this.#writer.hold();
    this.#writer.drop();
    this.#tell();
    // What only this page's memory holds is shown for as long as it can be.
    if (this.#writer.keeps)
      this.#followed.read(true).catch((thrown: unknown) => this.#parts.report(thrown));
  }

  /** Another page has written where this one was about to. */
  #collide(): void {
    if (!this.#parts.pages.exclusive || !this.#claim.held) this.#lose();
    else this.#addAnew().catch((thrown: unknown) => this.#writer.fail(thrown));
  }

  /** Puts what is not written yet behind what the page that had this session before has written at last. */
  async #addAnew(): Promise<void> {
    const read = await readLog(this.#parts.store, this.id, this.#contents.nothing);
    if (!this.#writes) return;
    const [first] = this.#writer.drop();
    const own = this.events.slice(first?.n).map(datedFact);
    this.#contents.replace(read);
    this.#append(own);
    this.#start();
  }

  async #tryToWrite(): Promise<void> {
    try {
      await this.#becomeWriter('reload');
    } catch (thrown) {
      if (!this.#claim.held) return;
      this.#writer.fail(thrown);
      this.#writes = true;
      this.#tell();
    }
  }

  async #becomeWriter(pythonLost: PythonLost): Promise<void> {
    // What this page was told is not yet what is stored.
    if (!(await this.#followed.read(true))) throw nothingStored(this.#contents.damage);
    const facts = await recoveryFacts(this.#parts, this.#contents, pythonLost);
    // It may have been lost again meanwhile.
    if (!this.#claim.held) return;
    this.#writes = true;
    this.#start();
    if (facts.length > 0) this.append(...facts);
    else this.#tell();
  }
}
