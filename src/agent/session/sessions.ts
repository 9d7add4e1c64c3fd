/** All sessions of this browser, and the logs of those that are open in this page. */

import { errorText, ToolError } from '../../runtime/spec/error.ts';
import type { Limits } from '../../runtime/spec/limits.ts';
import type { SessionEvent, SessionFact, SessionHead } from '../../runtime/spec/session.ts';
import { importEvents, storeSession } from './file/import-session.ts';
import {
  importProblem,
  readSessionFile,
  sessionFile,
  type ProviderNames,
  type SavedFile,
} from './file/session-file.ts';
import { forkFacts, type ReplacedCall } from './fork-session.ts';
import { readLog } from './log/log-contents.ts';
import { SessionLog, type PythonLoss, type SessionLogDeps } from './log/session-log.ts';
import { emptyState, replayInSlices } from './reduce.ts';
import { searchSessions, type FoundSession } from './search-sessions.ts';
import { readFailure, sessionNotFound } from './session-errors.ts';
import { SessionList, type SessionListDeps } from './session-list.ts';
import { fitTitle } from './session-head.ts';
import type { SessionState } from './session-state.ts';

export interface SessionsDeps extends Omit<SessionLogDeps, 'onHead'>, SessionListDeps {
  readonly limits: Pick<Limits, 'eventChars' | 'sessionFileBytes' | 'foundSessions'>;
  readonly providers: ProviderNames;
}

/** A session that was open in this page before. */
interface ClosedSession {
  /** Resolves when the session can be opened again. */
  readonly closing: Promise<void>;
  /** Number of the session's events. */
  readonly events: number;
  /**
   * Why the session's Python state was lost; null if it may still exist. If it does not, the next
   * result says so.
   */
  readonly pythonLoss: PythonLoss | null;
}

/** A session that was read from a file, and is not stored yet. */
export interface ReadSession {
  readonly state: SessionState;
  /** @throws {ToolError} `bad-input` if an event is too large; `storage` */
  readonly store: () => Promise<SessionHead>;
}

export class Sessions {
  readonly #deps: SessionsDeps;
  readonly #logDeps: SessionLogDeps;
  readonly #list: SessionList;
  readonly #opening = new Map<string, Promise<SessionLog>>();
  readonly #open = new Map<string, SessionLog>();
  /** Ids of sessions that are in use in this page. */
  readonly #wanted = new Set<string>();
  readonly #closed = new Map<string, ClosedSession>();
  /**
   * Ids of sessions that were removed and restored while they were not open here. Removal ends a turn that is running, but
   * events of a removed session are not stored. The next opening adds the ends of the turn and its calls, with this reason.
   */
  readonly #restored = new Set<string>();
  #loaded: Promise<void> | null = null;

  constructor(deps: SessionsDeps) {
    this.#deps = deps;
    this.#list = new SessionList(deps);
    this.#logDeps = { ...deps, onHead: (head) => this.#list.put(head) };
  }

  /** The sessions without removed ones, sorted by their latest change, newest first. */
  list(): readonly SessionHead[] {
    return this.#list.list();
  }

  /** Resolves when the stored sessions are loaded. Never rejects. */
  get loaded(): Promise<void> {
    return (this.#loaded ??= this.#list.load().catch((thrown: unknown) => {
      const why = errorText(thrown);
      this.#deps.onStorageFailure(`Could not read saved sessions: ${why}`);
    }));
  }

  /**
   * Calls the listener after every change of the list, including changes of other tabs.
   *
   * @returns dispose
   */
  observe(listener: (heads: readonly SessionHead[]) => void): () => void {
    return this.#list.observe(listener);
  }

  /** Stores the events that still wait. Call it when the page closes. */
  flush(): void {
    for (const log of this.#open.values()) void log.written();
  }

  /** Creates a session, which is stored once it has a message. */
  create(fact: Omit<Extract<SessionFact, { type: 'created' }>, 'type'>): SessionLog {
    const log = this.#begin();
    log.append({ type: 'created', ...fact });
    return log;
  }

  /** Opens a session. Returns the same object until it is released. @throws {ToolError} `not-found`, `storage` */
  open(id: string): Promise<SessionLog> {
    this.#wanted.add(id);
    return this.#openLog(id);
  }

  /** Closes a session that is no longer in use in this page. */
  release(id: string): void {
    this.#wanted.delete(id);
    const log = this.#open.get(id);
    // A session that exists only in memory would be lost.
    if (log?.isInStore !== true) return;
    this.#open.delete(id);
    this.#closed.set(id, { closing: log.close(), events: log.events.length, pythonLoss: null });
  }

  /** Call this when all interpreters of this page were replaced. */
  pythonRestarted(why: PythonLoss): void {
    for (const [id, closed] of this.#closed)
      this.#closed.set(id, { ...closed, pythonLoss: closed.pythonLoss ?? why });
  }

  /**
   * Copies a session up to and including event `n`.
   * @param replaced a call of the answer at `n`, which ends differently in the copy
   * @throws {ToolError} `not-found`, `storage`, `bad-input`
   */
  async fork(id: string, n: number, replaced: ReplacedCall | null = null): Promise<SessionLog> {
    const facts = await forkFacts(id, await this.events(id), n, this.#deps, replaced);
    const log = this.#begin();
    await log.copy(facts);
    return log;
  }

  /**
   * Removes a session from the list at once, and deletes it later.
   *
   * @returns a function that restores it, until it is deleted
   */
  remove(id: string): () => void {
    this.#list.remove(id);
    this.#open.get(id)?.setRemoved(true);
    return () => {
      if (!this.#list.restore(id)) return;
      const log = this.#open.get(id);
      if (log === undefined) this.#restored.add(id);
      else log.setRemoved(false);
    };
  }

  /**
   * Renames a session.
   *
   * @throws {ToolError} `bad-input` if the title is empty; `not-found`, `storage`
   */
  async rename(id: string, title: string): Promise<void> {
    const fit = fitTitle(title);
    if (fit === '') throw new ToolError('bad-input', 'A title needs at least one character.');
    const log = await this.#openLog(id);
    // If another tab writes the session, ask that tab to rename it.
    if (!log.append({ type: 'titled', title: fit, by: 'user' }))
      this.#deps.pages.send({ type: 'title', session: id, title: fit });
    await log.written();
    if (!this.#wanted.has(id)) this.release(id);
  }

  /**
   * Finds the sessions whose title or messages contain every word, newest first.
   * @throws the signal's reason
   */
  async search(signal: AbortSignal, text: string): Promise<readonly FoundSession[]> {
    await this.loaded;
    return searchSessions(signal, text, {
      heads: this.list(),
      store: this.#deps.store,
      eventsOf: (id) => this.#open.get(id)?.events,
      max: this.#deps.limits.foundSessions,
    });
  }

  /**
   * Writes a session to a file, without secrets.
   *
   * @throws {ToolError} `not-found`, `storage`
   */
  async export(id: string): Promise<SavedFile> {
    const { limits, providers } = this.#deps;
    const events = await this.events(id);
    const file = await sessionFile(events, providers);
    return { file, problem: importProblem(file, limits.sessionFileBytes, events.length) };
  }

  /** Reads a session from a file, and stores nothing. @throws {ToolError} `bad-input` */
  async read(file: Blob): Promise<ReadSession> {
    const { limits, providers } = this.#deps;
    const read = await readSessionFile(file, providers, limits.sessionFileBytes);
    return { state: await replayInSlices('', read), store: () => this.#import(read) };
  }

  async #import(read: readonly SessionEvent[]): Promise<SessionHead> {
    const { store, pages, limits } = this.#deps;
    await this.loaded;
    const events = [...read, ...(await importEvents(read, this.list(), this.#deps))];
    const id = this.#deps.newId();
    const head = await storeSession(id, events, { store, pages, eventChars: limits.eventChars });
    this.#list.put(head);
    return head;
  }

  /**
   * Returns the events of a session, which need not be open.
   *
   * @throws {ToolError} `not-found`, `storage`
   */
  async events(id: string): Promise<readonly SessionEvent[]> {
    const log = this.#open.get(id);
    if (log !== undefined) return [...log.events];
    try {
      const { events, damage } = await readLog(this.#deps.store, id, emptyState(id));
      if (events.length === 0) throw sessionNotFound(damage);
      return events;
    } catch (thrown) {
      throw readFailure(thrown);
    }
  }

  #begin(): SessionLog {
    const log = SessionLog.begin(this.#logDeps, this.#deps.newId());
    this.#open.set(log.id, log);
    this.#wanted.add(log.id);
    return log;
  }

  async #openLog(id: string): Promise<SessionLog> {
    if (this.#list.isRemoved(id)) throw sessionNotFound(null);
    const log = this.#open.get(id);
    if (log !== undefined) return log;
    const opening = this.#opening.get(id) ?? this.#reopen(id);
    this.#opening.set(id, opening);
    try {
      return await opening;
    } finally {
      this.#opening.delete(id);
    }
  }

  async #reopen(id: string): Promise<SessionLog> {
    const closed = this.#closed.get(id);
    // A log takes the claim to write its session, which only one log of all tabs can have. Without this wait, the new log
    // could find it taken by the one that is still closing.
    await closed?.closing;
    const pythonLossOf = (events: readonly SessionEvent[]): PythonLoss | null => {
      // The session was not open here before, or another tab has continued it: the calls ran in other interpreters.
      if (closed?.events !== events.length) return 'reload';
      return closed.pythonLoss;
    };
    const wasRestored = this.#restored.delete(id);
    // If the stored log has a turn or calls without an end, opening ends them for this reason.
    const whyInterrupted = wasRestored ? 'removed' : 'lost';
    const log = await SessionLog.open(this.#logDeps, id, pythonLossOf, whyInterrupted);
    this.#open.set(id, log);
    return log;
  }
}
