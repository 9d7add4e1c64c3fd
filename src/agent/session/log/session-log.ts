/** The log of one open session: holds its state, and is the only way to add to it. */

import { createObservers } from '../../../runtime/hooks/observe.ts';
import type { SessionMessage } from '../../../runtime/protocol/session-pages.ts';
import type { PythonAnew, SessionEvent, SessionFact } from '../../../runtime/spec/session.ts';
import {
  damageMessage,
  notSavedMessage,
  readFailure,
  removedInOtherTab,
  sessionNotFound,
} from '../session-errors.ts';
import type { SessionState } from '../session-state.ts';
import { fitTitle } from '../session-head.ts';
import { closingFacts, hasPythonState, type ClosingOptions } from './closing.ts';
import type { DraftDelta, DraftPart, StepInProgress } from './draft.ts';
import type { DatedFact } from './event-format.ts';
import { FollowedLog, readDraft } from './followed-log.ts';
import { LogContents } from './log-contents.ts';
import { LogWriter, type LogWriterDeps } from './log-writer.ts';
import { SessionClaim, type SessionPages } from './session-claim.ts';

export interface SessionLogDeps extends LogWriterDeps {
  readonly pages: SessionPages;
  newId(): string;
  /** Receives the errors of listeners. */
  report(thrown: unknown): void;
}

/** Why a session's Python state was lost. */
export type PythonLoss = Extract<PythonAnew, 'reload' | 'folder' | 'other-folder'>;

/** Returns why the Python state of a stored log was lost; null if it still exists. */
export type PythonLossOf = (events: readonly SessionEvent[]) => PythonLoss | null;

export class SessionLog {
  readonly id: string;
  readonly #deps: SessionLogDeps;
  readonly #observers;
  readonly #contents: LogContents;
  readonly #writer: LogWriter;
  readonly #followed: FollowedLog;
  readonly #claim: SessionClaim;
  readonly #unobservePages: () => void;
  #writes = false;
  #becomingWriter: Promise<void> | null = null;
  /** Reading what another tab has written, while nothing is stored. */
  #rebasing: Promise<void> | null = null;

  private constructor(deps: SessionLogDeps, id: string) {
    this.id = id;
    this.#deps = deps;
    this.#observers = createObservers<null>((thrown) => deps.report(thrown));
    this.#contents = new LogContents(id);
    this.#writer = new LogWriter(deps, id, this.#contents, {
      onConflict: () => this.#resolveConflict(),
      onRecovery: () => this.#notify(),
    });
    this.#followed = new FollowedLog({
      session: id,
      store: deps.store,
      contents: this.#contents,
      onChange: () => this.#notify(),
    });
    this.#claim = new SessionClaim(deps.pages, id, () => this.#loseClaim());
    this.#unobservePages = deps.pages.observe((message) => {
      if (message.session === id) this.#receive(message);
    });
  }

  /** Begins a new session. */
  static begin(deps: SessionLogDeps, id: string): SessionLog {
    const log = new SessionLog(deps, id);
    log.#writes = true;
    void log.#claim.take();
    return log;
  }

  /**
   * Opens a stored session. Ends what its last tab left running, unless another tab writes it.
   *
   * @param pythonLoss why the Python state of the calls so far is lost; null if it may still exist
   * @param whyInterrupted why the last tab left something running
   * @throws {ToolError} `not-found`, `storage`
   */
  static async open(
    deps: SessionLogDeps,
    id: string,
    pythonLoss: PythonLossOf,
    whyInterrupted: ClosingOptions['why'] = 'lost',
  ): Promise<SessionLog> {
    const log = new SessionLog(deps, id);
    log.#writer.keep();
    try {
      if (await log.#claim.take()) await log.#becomeWriter(pythonLoss, whyInterrupted);
      else if (!(await log.#followed.read('all'))) throw sessionNotFound(log.#contents.damage);
      return log;
    } catch (thrown) {
      await log.close();
      throw readFailure(thrown);
    }
  }

  /** The state after all events so far; a new object after each change. */
  get state(): SessionState {
    return this.#contents.state;
  }

  get events(): readonly SessionEvent[] {
    return this.#contents.events;
  }

  /**
   * False if another tab writes and this one follows. Another tab can take over at any time: `state` then shows that
   * tab's changes, and a turn of this tab must end.
   */
  get writes(): boolean {
    return this.#writes;
  }

  /** The step in progress in another tab; null if there is none, or this tab writes. */
  get following(): StepInProgress | null {
    return this.#writes ? null : this.#followed.step;
  }

  /** Whether the session was removed, in this tab or another one. Events added meanwhile are not stored. */
  get removed(): boolean {
    return this.#writer.isRemoved;
  }

  /** A problem with the stored session or with storing it, for the user; null if there is none. */
  get problem(): string | null {
    if (this.removed) return removedInOtherTab;
    return damageMessage(this.#contents.damage) ?? (this.isInStore ? null : notSavedMessage);
  }

  /** False if storage has failed, and only this tab has the whole session. */
  get isInStore(): boolean {
    return this.#writer.events.works;
  }

  /**
   * Adds facts to `state` at once, and to the store from the first `message` on. A result that is too large is cut.
   *
   * @returns false if this tab does not write; nothing is added then
   * @throws {ToolError} `limit`, `bad-input` if a fact is too large or not valid; no fact is added then
   */
  append(...facts: readonly SessionFact[]): boolean {
    if (!this.#writes) return false;
    const at = this.#deps.now();
    this.#writer.add(facts.map((fact) => ({ at, ...fact })));
    this.#notify();
    return true;
  }

  /** Fills a new session with the facts of another one, and stores it. */
  async copy(facts: readonly DatedFact[]): Promise<void> {
    await this.#writer.copy(facts);
    this.#notify();
  }

  /** Stores additions to a step in progress, in case the page closes. Call it before they are shown. Never rejects. */
  async draft(stepId: string, delta: DraftDelta): Promise<void> {
    if (this.#writes && delta.length > 0) await this.#writer.draft(stepId, delta);
  }

  /** Resolves when everything is stored, as far as possible. Never rejects. */
  async written(): Promise<void> {
    await this.#writer.events.written();
    while (this.#rebasing !== null) {
      await this.#rebasing;
      await this.#writer.events.written();
    }
  }

  /** Calls the listener after every change. @returns dispose */
  observe(listener: () => void): () => void {
    return this.#observers.observe(listener);
  }

  /**
   * Makes this tab write, unless another one does.
   *
   * @returns whether this tab now writes
   */
  async claim(): Promise<boolean> {
    if (!this.#writes && (await this.#claim.take())) await this.#startWriting();
    return this.#writes;
  }

  /** Makes this tab write instead of another one. */
  async takeOver(): Promise<void> {
    if (!this.#writes && (await this.#claim.take({ steal: true }))) await this.#startWriting();
  }

  /** Call this when the session was removed from the list, or restored. */
  setRemoved(removed: boolean): void {
    this.#writer.setRemoved(removed);
    if (this.#writes) this.#writer.start();
    this.#notify();
  }

  /** Stops writing. Resolves when another tab may write. */
  async close(): Promise<void> {
    this.#unobservePages();
    // The events that wait until another tab's are read would be lost.
    if (this.#rebasing !== null) await this.#rebasing;
    this.#writes = false;
    await this.written();
    await this.#claim.close();
  }

  #notify(): void {
    this.#observers.emit(null);
  }

  #receive(message: SessionMessage): void {
    switch (message.type) {
      case 'events':
      case 'draft':
        if (!this.#writes && this.isInStore) this.#followed.receive(message);
        return;
      case 'removed':
      case 'restored':
        this.setRemoved(message.type === 'removed');
        return;
      case 'title':
        this.append({ type: 'titled', title: fitTitle(message.title), by: 'user' });
        return;
      case 'head':
      // Only the list of sessions shows heads.
    }
  }

  /** Called when another tab has taken over. */
  #loseClaim(): void {
    if (!this.#writes) return;
    this.#writes = false;
    this.#writer.stop();
    this.#notify();
    // If only this tab's memory has the whole session, it stays visible.
    if (!this.isInStore) return;
    this.#followed.read('all').catch((thrown: unknown) => this.#deps.report(thrown));
  }

  /** Called when another tab has written events with the same numbers. */
  #resolveConflict(): void {
    if (!this.#deps.pages.exclusive || !this.#claim.held) {
      this.#loseClaim();
      return;
    }
    const rebasing = this.#writer
      .rebase(() => this.#writes)
      .then(() => this.#notify())
      .catch((thrown: unknown) => this.#writer.events.fail(thrown))
      .finally(() => {
        if (this.#rebasing === rebasing) this.#rebasing = null;
      });
    this.#rebasing = rebasing;
  }

  /** Starts once for all concurrent callers. */
  #startWriting(): Promise<void> {
    return (this.#becomingWriter ??= this.#becomeWriter(() => 'reload', 'lost')
      .catch((thrown: unknown) => this.#writeInMemory(thrown))
      .finally(() => {
        this.#becomingWriter = null;
      }));
  }

  async #becomeWriter(pythonLoss: PythonLossOf, why: ClosingOptions['why']): Promise<void> {
    // The store may have events that this tab has not received.
    if (!(await this.#followed.read('all'))) throw sessionNotFound(this.#contents.damage);
    const facts = await this.#recoveryFacts(pythonLoss, why);
    // The claim may have been lost meanwhile.
    if (!this.#claim.held) return;
    this.#writes = true;
    this.#writer.startFresh();
    this.append(...facts);
  }

  /** Returns the facts that end what an earlier tab left running. Moves a damaged end out of the log. */
  async #recoveryFacts(
    pythonLoss: PythonLossOf,
    why: ClosingOptions['why'],
  ): Promise<SessionFact[]> {
    const { store } = this.#deps;
    const { state, events, damage } = this.#contents;
    if (damage !== null) await store.quarantine(this.id, damage.at);
    const drafts = new Map<string, readonly DraftPart[]>();
    for (const entry of state.entries) {
      if (entry.kind !== 'step' || entry.finish !== null) continue;
      drafts.set(entry.stepId, (await readDraft(store, this.id, entry.stepId)).parts);
    }
    const partsOf = (stepId: string): readonly DraftPart[] => drafts.get(stepId) ?? [];
    const facts = closingFacts(state, { why, partsOf, newId: () => this.#deps.newId() });
    const loss = pythonLoss(events);
    if (loss !== null && hasPythonState(events)) facts.push({ type: 'python-anew', why: loss });
    return facts;
  }

  /** Continues with the known events, if the store cannot be used. */
  #writeInMemory(thrown: unknown): void {
    if (!this.#claim.held) return;
    const step = this.#followed.step;
    this.#writer.events.fail(thrown);
    this.#writes = true;
    const partsOf = (id: string): readonly DraftPart[] => (step?.stepId === id ? step.parts : []);
    const newId = (): string => this.#deps.newId();
    this.append(...closingFacts(this.state, { why: 'lost', partsOf, newId }));
  }
}
