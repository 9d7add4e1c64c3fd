/** The list of stored sessions. A removed session can be restored until it is deleted. */

import { Observable } from '../../runtime/hooks/observe.ts';
import type { SessionMessage } from '../../runtime/protocol/session-pages.ts';
import { createPacer } from '../../runtime/async/pace.ts';
import type { SessionHead } from '../../runtime/spec/session.ts';
import { readHead } from './log/event-format.ts';
import { readLog } from './log/log-contents.ts';
import type { SessionPages } from './log/session-claim.ts';
import type { SessionStore, StoredSession } from './log/session-store.ts';
import { emptyState } from './reduce.ts';

export interface SessionListDeps {
  readonly store: SessionStore;
  readonly pages: SessionPages;
  now(): number;
  /** Runs `then` in `ms` milliseconds. */
  after(ms: number, then: () => void): void;
  /** Receives errors of the store and of listeners. */
  report(thrown: unknown): void;
}

/** Time during which a removed session can be restored; milliseconds. */
const undoMs = 60_000;

export class SessionList extends Observable<readonly SessionHead[]> {
  readonly #deps: SessionListDeps;
  readonly #heads = new Map<string, SessionHead>();
  readonly #removed = new Set<string>();
  /** The sorted list; null after a change. */
  #list: readonly SessionHead[] | null = null;

  constructor(deps: SessionListDeps) {
    super((thrown) => deps.report(thrown));
    this.#deps = deps;
    deps.pages.observe((message) => this.#receive(message));
  }

  /** The sessions without removed ones, sorted by their latest change, newest first. */
  list(): readonly SessionHead[] {
    return (this.#list ??= [...this.#heads.values()]
      .filter(({ id }) => !this.#removed.has(id))
      .sort((one, other) => other.changedAt - one.changedAt || (one.id < other.id ? -1 : 1)));
  }

  isRemoved(id: string): boolean {
    return this.#removed.has(id);
  }

  /**
   * Loads the stored sessions.
   *
   * @throws the error of the store
   */
  async load(): Promise<void> {
    const pacer = createPacer();
    for (const stored of await this.#deps.store.sessions()) {
      const removedAt = typeof stored.removedAt === 'number' ? stored.removedAt : null;
      if (removedAt !== null) {
        this.#removed.add(stored.id);
        this.#deleteAfter(stored.id, removedAt, removedAt + undoMs - this.#deps.now());
      }
      // A session that was opened in the meantime has a newer head.
      if (this.#heads.has(stored.id)) continue;
      const head = await this.#headOf(stored);
      if (head !== null) this.#heads.set(stored.id, head);
      if (pacer.mustRest()) await pacer.rest();
    }
    this.#notify();
  }

  put(head: SessionHead): void {
    this.#heads.set(head.id, head);
    this.#notify();
  }

  /** Removes a session from the list at once. It is deleted later, unless it is open then. */
  remove(id: string): void {
    const { store, pages } = this.#deps;
    const at = this.#deps.now();
    this.#setRemoved(id, true);
    pages.send({ type: 'removed', session: id });
    this.#try(() => store.markRemoved(id, at));
    this.#deleteAfter(id, at, undoMs);
  }

  /**
   * Restores a removed session.
   *
   * @returns false if it is too late
   */
  restore(id: string): boolean {
    const { store, pages } = this.#deps;
    if (!this.#removed.has(id)) return false;
    this.#setRemoved(id, false);
    pages.send({ type: 'restored', session: id });
    this.#try(() => store.markRemoved(id, null));
    return true;
  }

  #setRemoved(id: string, removed: boolean): void {
    if (removed) this.#removed.add(id);
    else this.#removed.delete(id);
    this.#notify();
  }

  #notify(): void {
    this.#list = null;
    this.emit(this.list());
  }

  #receive(message: SessionMessage): void {
    const { session } = message;
    if (message.type === 'removed' || message.type === 'restored') {
      this.#setRemoved(session, message.type === 'removed');
      return;
    }
    if (message.type !== 'head') return;
    const head = readHead(message.head);
    if (head?.id === session) this.put(head);
  }

  /** Returns the stored head; if that is damaged, the head computed from the log. */
  async #headOf({ id, head: text }: StoredSession): Promise<SessionHead | null> {
    const head = readHead(text);
    if (head?.id === id) return head;
    const { state } = await readLog(this.#deps.store, id, emptyState(id));
    return state.head.events === 0 ? null : state.head;
  }

  #deleteAfter(id: string, removedAt: number, ms: number): void {
    this.#deps.after(Math.max(0, ms), () => this.#try(() => this.#delete(id, removedAt)));
  }

  /** Deletes a session for good. If it is open in some tab, a later visit deletes it. */
  async #delete(id: string, removedAt: number): Promise<void> {
    if (!this.#removed.has(id)) return;
    const release = await this.#deps.pages.take(id);
    if (release === null) return;
    try {
      // The session may have been restored meanwhile.
      if (!this.isRemoved(id)) return;
      const removal = await this.#deps.store.remove(id, removedAt);
      // Another removal has started, and will delete it later.
      if (removal === 'marked-anew') return;
      if (removal === 'done') this.#heads.delete(id);
      this.#setRemoved(id, false);
    } finally {
      await release();
    }
  }

  #try(work: () => Promise<void>): void {
    work().catch((thrown: unknown) => this.#deps.report(thrown));
  }
}
