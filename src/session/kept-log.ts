/** A session that is open in this page: written here, or followed while another page writes it. */

import { createObservers } from '../hooks/observe.ts';
import type { SessionMessage } from '../protocol/session-pages.ts';
import type { SessionEvent, SessionFact } from '../spec/session.ts';
import { closingFacts, type Closing } from './closing.ts';
import type { DraftPart, Grown } from './draft.ts';
import { FollowedLog } from './followed-log.ts';
import type { DatedFact } from './kept-event.ts';
import { LogAdditions, type LogAdditionsParts } from './log-additions.ts';
import { LogContents } from './log-contents.ts';
import { recoveryFacts, type PythonSince } from './recover.ts';
import { SessionClaim, type SessionPages } from './session-claim.ts';
import type { SessionLog, StepUnderWay } from './session-log.ts';
import type { SessionState } from './session-state.ts';
import { fitTitle } from './session-title.ts';
import {
  damaged,
  nothingStored,
  onlyHere,
  removedElsewhere,
  unreadable,
} from './session-troubles.ts';

export interface KeptLogParts extends LogAdditionsParts {
  readonly pages: SessionPages;
  newId(): string;
  /** Told what listeners throw. */
  report(thrown: unknown): void;
}

export class KeptLog implements SessionLog {
  readonly id: string;
  readonly #parts: KeptLogParts;
  readonly #observers;
  readonly #contents: LogContents;
  readonly #additions: LogAdditions;
  readonly #followed: FollowedLog;
  readonly #claim: SessionClaim;
  readonly #dispose: () => void;
  #writes = false;
  #becoming: Promise<void> | null = null;

  private constructor(parts: KeptLogParts, id: string) {
    this.id = id;
    this.#parts = parts;
    this.#observers = createObservers<null>((thrown) => parts.report(thrown));
    this.#contents = new LogContents(id);
    this.#additions = new LogAdditions(parts, id, this.#contents, {
      onConflict: () => this.#collide(),
      onRecovery: () => this.#tell(),
    });
    this.#followed = new FollowedLog(parts.store, id, this.#contents, () => this.#tell());
    this.#claim = new SessionClaim(parts.pages, id, () => this.#lose());
    this.#dispose = parts.pages.observe((message) => {
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
   * @param pythonSince what is left of its Python state
   * @param cause why its last page left something open
   * @throws {ToolError} `not-found`, `storage`
   */
  static async open(
    parts: KeptLogParts,
    id: string,
    pythonSince: PythonSince,
    cause: Closing['why'] = 'lost',
  ): Promise<KeptLog> {
    const log = new KeptLog(parts, id);
    log.#additions.keep();
    try {
      if (await log.#claim.take(false)) await log.#becomeWriter(pythonSince, cause);
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
    return this.#additions.isRemoved;
  }

  get problem(): string | null {
    if (this.removed) return removedElsewhere;
    return damaged(this.#contents.damage) ?? (this.isInStore ? null : onlyHere);
  }

  /** False: storage has failed, and only this page has all of it. */
  get isInStore(): boolean {
    return this.#additions.isInStore;
  }

  append(...facts: readonly SessionFact[]): boolean {
    if (!this.#writes) return false;
    const at = this.#parts.now();
    this.#additions.add(facts.map((fact) => ({ at, ...fact })));
    this.#tell();
    return true;
  }

  /** Adds what happened in another session, when it did there. Kept from here on. */
  async copy(facts: readonly DatedFact[]): Promise<void> {
    await this.#additions.copy(facts);
    this.#tell();
  }

  async draft(stepId: string, grown: Grown): Promise<void> {
    if (this.#writes && grown.length > 0) await this.#additions.draft(stepId, grown);
  }

  written(): Promise<void> {
    return this.#additions.written();
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
    this.#additions.setRemoved(removed);
    if (this.#writes) this.#additions.start();
    this.#tell();
  }

  async close(): Promise<void> {
    this.#dispose();
    this.#writes = false;
    await this.written();
    await this.#claim.close();
  }

  #tell(): void {
    this.#observers.emit(null);
  }

  #hear(message: SessionMessage): void {
    switch (message.type) {
      case 'events':
      case 'draft':
        if (!this.#writes && this.isInStore) this.#followed.hear(message);
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
    this.#additions.stop();
    this.#tell();
    // What only this page's memory holds is shown for as long as it can be.
    if (!this.isInStore) return;
    this.#followed.read(true).catch((thrown: unknown) => this.#parts.report(thrown));
  }

  /** Another page has written where this one was about to. */
  #collide(): void {
    if (this.#parts.pages.exclusive && this.#claim.held) {
      const anew = this.#additions.addAnew(() => this.#writes);
      anew.then(() => this.#tell()).catch((thrown: unknown) => this.#additions.fail(thrown));
    } else this.#lose();
  }

  /** Once, however often it is asked for meanwhile. */
  #tryToWrite(): Promise<void> {
    return (this.#becoming ??= this.#becomeWriter(() => 'reload', 'lost')
      .catch((thrown: unknown) => this.#writeInMemory(thrown))
      .finally(() => {
        this.#becoming = null;
      }));
  }

  async #becomeWriter(pythonSince: PythonSince, cause: Closing['why']): Promise<void> {
    // What this page was told is not yet what is stored.
    if (!(await this.#followed.read(true))) throw nothingStored(this.#contents.damage);
    const facts = await recoveryFacts(this.#parts, this.#contents, pythonSince, cause);
    // It may have been lost again, or closed, meanwhile.
    if (!this.#claim.held) return;
    this.#writes = true;
    this.#additions.startAnew();
    this.append(...facts);
  }

  /** Goes on with what this page has heard of, where the store has nothing to go on with. */
  #writeInMemory(thrown: unknown): void {
    if (!this.#claim.held) return;
    const step = this.#followed.step;
    this.#additions.fail(thrown);
    this.#writes = true;
    const partsOf = (id: string): readonly DraftPart[] => (step?.stepId === id ? step.parts : []);
    const newId = (): string => this.#parts.newId();
    this.append(...closingFacts(this.state, { why: 'lost', partsOf, newId }));
  }
}
