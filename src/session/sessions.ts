/** All sessions of this browser, and the ones that are open in this page. */

import { errorText, ToolError } from '../spec/error.ts';
import type { Limits } from '../spec/limits.ts';
import type { SessionEvent, SessionFact, SessionHead } from '../spec/session.ts';
import { importEvents, storeSession } from './file/import-session.ts';
import {
  importProblem,
  readSessionFile,
  sessionFile,
  type ProviderNames,
  type SavedFile,
} from './file/session-file.ts';
import { forkFacts } from './fork-session.ts';
import { readLog } from './log/log-contents.ts';
import { SessionLog, type PythonLoss, type SessionLogDeps } from './log/session-log.ts';
import { emptyState } from './reduce.ts';
import { searchSessions } from './search-sessions.ts';
import { readFailure, sessionNotFound } from './session-errors.ts';
import { SessionList, type SessionListDeps } from './session-list.ts';
import { fitTitle } from './session-head.ts';

export interface SessionsDeps extends Omit<SessionLogDeps, 'onHead'>, SessionListDeps {
  readonly limits: Pick<Limits, 'eventChars' | 'sessionFileBytes' | 'foundSessions'>;
  readonly providers: ProviderNames;
}

/** A session that was open in this page. */
interface ClosedSession {
  /** Resolves when it can be opened again. */
  readonly closing: Promise<void>;
  /** The number of its events. */
  readonly events: number;
  /** Why its Python state is gone; null where it may exist. If it does not, the next result says so. */
  readonly pythonLoss: PythonLoss | null;
}

export class Sessions {
  readonly #deps: SessionsDeps;
  readonly #logDeps: SessionLogDeps;
  readonly #list: SessionList;
  readonly #opening = new Map<string, Promise<SessionLog>>();
  readonly #open = new Map<string, SessionLog>();
  /** Sessions that a part of this page uses. */
  readonly #wanted = new Set<string>();
  readonly #closed = new Map<string, ClosedSession>();
  /** Sessions that were deleted and restored while they were not open. */
  readonly #restored = new Set<string>();
  #loaded: Promise<void> | null = null;

  constructor(deps: SessionsDeps) {
    this.#deps = deps;
    this.#list = new SessionList(deps);
    this.#logDeps = { ...deps, onHead: (head) => this.#list.put(head) };
  }

  /** Newest change first. */
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

  /** Calls the listener after every change of the list, also in other tabs. @returns dispose */
  observe(listener: (heads: readonly SessionHead[]) => void): () => void {
    return this.#list.observe(listener);
  }

  /** Begins a session, which is stored from its first message on. */
  create(fact: Omit<Extract<SessionFact, { type: 'created' }>, 'type'>): SessionLog {
    const log = this.#begin();
    log.append({ type: 'created', ...fact });
    return log;
  }

  /** Opens a session. Returns the same object until it is released. @throws {ToolError} `not-found`, `storage` */
  open(id: string): Promise<SessionLog> {
    this.#wanted.add(id);
    return this.#opened(id);
  }

  /** Closes a session that no part of this page uses any more. */
  release(id: string): void {
    this.#wanted.delete(id);
    const log = this.#open.get(id);
    // A session that only memory has would be lost.
    if (log?.isInStore !== true) return;
    this.#open.delete(id);
    this.#closed.set(id, { closing: log.close(), events: log.events.length, pythonLoss: null });
  }

  /** Records that all interpreters of this page were replaced. */
  pythonRestarted(why: PythonLoss): void {
    for (const [id, closed] of this.#closed)
      this.#closed.set(id, { ...closed, pythonLoss: closed.pythonLoss ?? why });
  }

  /**
   * Copies a session up to and including event `n`.
   * @throws {ToolError} `not-found`, `storage`, `bad-input`
   */
  async fork(id: string, n: number): Promise<SessionLog> {
    const facts = await forkFacts(id, await this.events(id), n, this.#deps);
    const log = this.#begin();
    await log.copy(facts);
    return log;
  }

  /** Removes a session from the list at once, and deletes it after a while. @returns restores it, until it is deleted */
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

  /** @throws {ToolError} `bad-input` where the title is empty, `not-found`, `storage` */
  async rename(id: string, title: string): Promise<void> {
    const fit = fitTitle(title);
    if (fit === '') throw new ToolError('bad-input', 'A title needs at least one character.');
    const log = await this.#opened(id);
    // Asks the tab that writes the session.
    if (!log.append({ type: 'titled', title: fit, by: 'person' }))
      this.#deps.pages.send({ type: 'title', session: id, title: fit });
    await log.written();
    if (!this.#wanted.has(id)) this.release(id);
  }

  /**
   * Finds the sessions whose title or messages contain every word, newest first.
   * @throws the signal's reason
   */
  async search(signal: AbortSignal, text: string): Promise<readonly SessionHead[]> {
    await this.loaded;
    return searchSessions(signal, text, {
      heads: this.list(),
      store: this.#deps.store,
      eventsOf: (id) => this.#open.get(id)?.events,
      max: this.#deps.limits.foundSessions,
    });
  }

  /** Writes a session into a file, without secrets. @throws {ToolError} `not-found`, `storage` */
  async export(id: string): Promise<SavedFile> {
    const { limits, providers } = this.#deps;
    const file = await sessionFile(await this.events(id), providers);
    return { file, problem: importProblem(file, limits.sessionFileBytes) };
  }

  /** Stores a file as a new session. @throws {ToolError} `bad-input`, `storage`; then nothing is stored */
  async import(file: Blob): Promise<SessionHead> {
    const { store, pages, limits, providers } = this.#deps;
    await this.loaded;
    const read = await readSessionFile(file, providers, limits.sessionFileBytes);
    const events = [...read, ...importEvents(read, this.list(), this.#deps)];
    const id = this.#deps.newId();
    const head = await storeSession(id, events, { store, pages, eventChars: limits.eventChars });
    this.#list.put(head);
    return head;
  }

  /** The events of a session, which need not be open. @throws {ToolError} `not-found`, `storage` */
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

  async #opened(id: string): Promise<SessionLog> {
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
    // Otherwise this page would compete with itself for the claim.
    await closed?.closing;
    const log = await SessionLog.open(
      this.#logDeps,
      id,
      (events) => {
        // If another tab has continued, its calls ran in its own interpreters.
        if (closed?.events !== events.length) return 'reload';
        return closed.pythonLoss;
      },
      this.#restored.delete(id) ? 'removed' : 'lost',
    );
    this.#open.set(id, log);
    return log;
  }
}
