/** All sessions of this browser, and those that are open in this page. */

import { errorText, ToolError } from '../spec/error.ts';
import type { Limits } from '../spec/limits.ts';
import type { SessionEvent, SessionFact, SessionHead } from '../spec/session.ts';
import { forkFacts } from './fork-session.ts';
import { importEvents } from './import-session.ts';
import { KeptLog, type KeptLogParts } from './kept-log.ts';
import { readLog } from './read-log.ts';
import type { PythonLost } from './recover.ts';
import { emptyState } from './reduce.ts';
import type { SavedFile } from './saved-file.ts';
import { searchSessions } from './search-sessions.ts';
import { importProblem, readSessionFile, sessionFile, type ProviderNames } from './session-file.ts';
import { SessionList, type SessionListParts } from './session-list.ts';
import type { SessionLog } from './session-log.ts';
import { fitTitle } from './session-title.ts';
import { nothingStored, unreadable } from './session-troubles.ts';
import { storeSession } from './store-session.ts';

export interface SessionsParts extends Omit<KeptLogParts, 'onHead'>, SessionListParts {
  readonly limits: Pick<Limits, 'eventChars' | 'sessionFileBytes' | 'foundSessions'>;
  readonly providers: ProviderNames;
}

/** A session that this page had open. */
interface Left {
  /** When it can be opened again. */
  readonly closing: Promise<void>;
  /** As many as its log had. */
  readonly events: number;
  /** Why its interpreter is not there any more; null: it may be, and where it was reclaimed, the next result says so. */
  readonly lost: PythonLost | null;
}

export class Sessions {
  readonly #parts: SessionsParts;
  readonly #logParts: KeptLogParts;
  readonly #list: SessionList;
  readonly #opening = new Map<string, Promise<KeptLog>>();
  readonly #open = new Map<string, KeptLog>();
  /** Those that something in this page has asked for. */
  readonly #wanted = new Set<string>();
  /** Those that were open here before. */
  readonly #left = new Map<string, Left>();
  /** Those that were deleted and put back: what ran in them had ended for that. */
  readonly #undone = new Set<string>();
  #loaded: Promise<void> | null = null;

  constructor(parts: SessionsParts) {
    this.#parts = parts;
    this.#list = new SessionList(parts);
    this.#logParts = {
      ...{ store: parts.store, pages: parts.pages, limits: parts.limits },
      now: () => parts.now(),
      newId: () => parts.newId(),
      report: (thrown) => parts.report(thrown),
      onStorageFailure: (message) => parts.onStorageFailure(message),
      onHead: (head) => this.#list.put(head),
    };
  }

  /** Newest change first. */
  list(): readonly SessionHead[] {
    return this.#list.list();
  }

  /** When those of earlier visits are there. Never rejects. */
  get loaded(): Promise<void> {
    return (this.#loaded ??= this.#list.load().catch((thrown: unknown) => {
      const why = errorText(thrown);
      this.#parts.onStorageFailure(`Sessions of earlier visits cannot be read: ${why}`);
    }));
  }

  /** Told of every change of the list, in other tabs too. @returns dispose */
  observe(listener: (heads: readonly SessionHead[]) => void): () => void {
    return this.#list.observe(listener);
  }

  /** A new session, which is kept from its first message on. */
  create(how: Omit<Extract<SessionFact, { type: 'created' }>, 'type'>): SessionLog {
    const log = this.#begin();
    log.append({ type: 'created', ...how });
    return log;
  }

  /** The same object until it is released. @throws {ToolError} `not-found`, `storage` */
  open(id: string): Promise<SessionLog> {
    this.#wanted.add(id);
    return this.#opened(id);
  }

  /** Nothing in this page needs it any more. */
  release(id: string): void {
    this.#wanted.delete(id);
    const log = this.#open.get(id);
    // What only memory has would be gone.
    if (log?.isInStore !== true) return;
    this.#open.delete(id);
    this.#left.set(id, { closing: log.close(), events: log.events.length, lost: null });
  }

  /** All interpreters of this page are others now. */
  pythonBeganAnew(why: PythonLost): void {
    for (const [id, left] of this.#left) this.#left.set(id, { ...left, lost: left.lost ?? why });
  }

  /**
   * A new session with everything up to and with event `n`.
   * @throws {ToolError} `not-found`, `storage`, `bad-input`
   */
  async fork(id: string, n: number): Promise<SessionLog> {
    const facts = await forkFacts(id, await this.events(id), n, this.#parts);
    const log = this.#begin();
    await log.copy(facts);
    return log;
  }

  /** Gone from the list at once, from storage after a while. @returns undo, which does nothing once that is over */
  remove(id: string): () => void {
    this.#list.remove(id);
    this.#open.get(id)?.setRemoved(true);
    return () => {
      if (!this.#list.restore(id)) return;
      const log = this.#open.get(id);
      if (log === undefined) this.#undone.add(id);
      else log.setRemoved(false);
    };
  }

  /** @throws {ToolError} `bad-input` where it is no title, `not-found`, `storage` */
  async rename(id: string, title: string): Promise<void> {
    const fit = fitTitle(title);
    if (fit === '') throw new ToolError('bad-input', 'A title needs at least one character.');
    const log = await this.#opened(id);
    // The page that writes it is asked to.
    if (!log.append({ type: 'titled', title: fit, by: 'person' }))
      this.#parts.pages.send({ type: 'title', session: id, title: fit });
    await log.written();
    if (!this.#wanted.has(id)) this.release(id);
  }

  /**
   * Sessions whose title or messages contain every word, newest first.
   * @throws the signal's reason
   */
  async search(signal: AbortSignal, text: string): Promise<readonly SessionHead[]> {
    await this.loaded;
    return searchSessions(signal, text, {
      heads: this.list(),
      store: this.#parts.store,
      opened: (id) => this.#open.get(id)?.events,
      most: this.#parts.limits.foundSessions,
    });
  }

  /** As one file, without secrets. @throws {ToolError} `not-found`, `storage` */
  async export(id: string): Promise<SavedFile> {
    const { limits, providers } = this.#parts;
    const file = await sessionFile(await this.events(id), providers);
    return { file, problem: importProblem(file, limits.sessionFileBytes) };
  }

  /** Keeps what is in a file as a new session. @throws {ToolError} `bad-input`, `storage`; nothing is kept then */
  async import(file: Blob): Promise<SessionHead> {
    const { store, pages, limits, providers } = this.#parts;
    await this.loaded;
    const read = await readSessionFile(file, providers, limits.sessionFileBytes);
    const events = [...read, ...importEvents(read, this.list(), this.#parts)];
    const id = this.#parts.newId();
    const head = await storeSession(id, events, { store, pages, eventChars: limits.eventChars });
    this.#list.put(head);
    return head;
  }

  /** All events of a session, be it open or not. @throws {ToolError} `not-found`, `storage` */
  async events(id: string): Promise<readonly SessionEvent[]> {
    const log = this.#open.get(id);
    if (log !== undefined) return [...log.events];
    try {
      const { events, damage } = await readLog(this.#parts.store, id, emptyState(id));
      if (events.length === 0) throw nothingStored(damage);
      return events;
    } catch (thrown) {
      throw unreadable(thrown);
    }
  }

  #begin(): KeptLog {
    const log = KeptLog.begin(this.#logParts, this.#parts.newId());
    this.#open.set(log.id, log);
    this.#wanted.add(log.id);
    return log;
  }

  async #opened(id: string): Promise<KeptLog> {
    if (this.#list.isRemoved(id)) throw nothingStored(null);
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

  async #reopen(id: string): Promise<KeptLog> {
    const left = this.#left.get(id);
    // Else this page would take itself for another one that writes.
    await left?.closing;
    const log = await KeptLog.open(
      this.#logParts,
      id,
      (events) => {
        // Where another page has gone on, its calls ran in interpreters of its own.
        if (left?.events !== events.length) return 'reload';
        return left.lost;
      },
      this.#undone.delete(id) ? 'removed' : 'lost',
    );
    this.#open.set(id, log);
    return log;
  }
}
