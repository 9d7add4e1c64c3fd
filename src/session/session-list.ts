/** The sessions that are kept, newest change first; what is removed comes back until it is deleted for good. */

import { createObservers } from '../hooks/observe.ts';
import type { SessionMessage } from '../protocol/session-pages.ts';
import { createPacer } from '../async/pace.ts';
import type { SessionHead } from '../spec/session.ts';
import { readHead } from './read-event.ts';
import { readLog } from './read-log.ts';
import { emptyState } from './reduce.ts';
import type { SessionPages } from './session-claim.ts';
import type { KeptSession, SessionStore } from './session-store.ts';

export interface SessionListParts {
  readonly store: SessionStore;
  readonly pages: SessionPages;
  now(): number;
  /** Runs `then` in `ms` milliseconds. */
  after(ms: number, then: () => void): void;
  /** Told what the store rejects with, and what listeners throw. */
  report(thrown: unknown): void;
}

/** How long a session that was removed can be had back. */
const graceMs = 60_000;

export class SessionList {
  readonly #parts: SessionListParts;
  readonly #observers;
  readonly #heads = new Map<string, SessionHead>();
  readonly #removed = new Set<string>();
  /** Null: to be made anew. */
  #list: readonly SessionHead[] | null = null;

  constructor(parts: SessionListParts) {
    this.#parts = parts;
    this.#observers = createObservers<readonly SessionHead[]>((thrown) => parts.report(thrown));
    parts.pages.observe((message) => this.#hear(message));
  }

  /** Without those that were removed. */
  list(): readonly SessionHead[] {
    return (this.#list ??= [...this.#heads.values()]
      .filter(({ id }) => !this.#removed.has(id))
      .sort((one, other) => other.changedAt - one.changedAt || (one.id < other.id ? -1 : 1)));
  }

  observe(listener: (heads: readonly SessionHead[]) => void): () => void {
    return this.#observers.observe(listener);
  }

  isRemoved(id: string): boolean {
    return this.#removed.has(id);
  }

  /** Takes what earlier visits left. @throws what the store rejects with */
  async load(): Promise<void> {
    const pacer = createPacer();
    for (const kept of await this.#parts.store.sessions()) {
      const removedAt = typeof kept.removedAt === 'number' ? kept.removedAt : null;
      if (removedAt !== null) {
        this.#removed.add(kept.id);
        this.#deleteAfter(kept.id, removedAt, removedAt + graceMs - this.#parts.now());
      }
      // What was opened since knows better.
      if (this.#heads.has(kept.id)) continue;
      const head = await this.#headOf(kept);
      if (head !== null) this.#heads.set(kept.id, head);
      if (pacer.due()) await pacer.rest();
    }
    this.#changed();
  }

  /** A session is new, or has changed. */
  put(head: SessionHead): void {
    this.#heads.set(head.id, head);
    this.#changed();
  }

  /** Gone from the list at once, from storage after a while, unless it is open then. */
  remove(id: string): void {
    const { store, pages } = this.#parts;
    const at = this.#parts.now();
    this.#mark(id, true);
    pages.send({ type: 'removed', session: id });
    this.#try(() => store.markRemoved(id, at));
    this.#deleteAfter(id, at, graceMs);
  }

  /** Puts it back. @returns whether it was still there to be put back */
  restore(id: string): boolean {
    const { store, pages } = this.#parts;
    if (!this.#removed.has(id)) return false;
    this.#mark(id, false);
    pages.send({ type: 'restored', session: id });
    this.#try(() => store.markRemoved(id, null));
    return true;
  }

  #mark(id: string, removed: boolean): void {
    if (removed) this.#removed.add(id);
    else this.#removed.delete(id);
    this.#changed();
  }

  #changed(): void {
    this.#list = null;
    this.#observers.emit(this.list());
  }

  #hear(message: SessionMessage): void {
    const { session } = message;
    if (message.type === 'removed' || message.type === 'restored') {
      this.#mark(session, message.type === 'removed');
      return;
    }
    if (message.type !== 'head') return;
    const head = readHead(message.head);
    if (head?.id === session) this.put(head);
  }

  /** From its log, where the head is damaged: that is the truth. */
  async #headOf({ id, head: text }: KeptSession): Promise<SessionHead | null> {
    const head = readHead(text);
    if (head?.id === id) return head;
    const { state } = await readLog(this.#parts.store, id, emptyState(id));
    return state.head.events === 0 ? null : state.head;
  }

  #deleteAfter(id: string, removedAt: number, ms: number): void {
    this.#parts.after(Math.max(0, ms), () => this.#try(() => this.#delete(id, removedAt)));
  }

  /** For good; one that is open in some page waits for a later visit. */
  async #delete(id: string, removedAt: number): Promise<void> {
    if (!this.#removed.has(id)) return;
    const giveBack = await this.#parts.pages.take(id, false, () => undefined);
    if (giveBack === null) return;
    try {
      // It may have been put back meanwhile.
      if (!this.isRemoved(id)) return;
      const removal = await this.#parts.store.remove(id, removedAt);
      // What has marked it anew deletes it.
      if (removal === 'marked-anew') return;
      if (removal === 'done') this.#heads.delete(id);
      this.#mark(id, false);
    } finally {
      await giveBack();
    }
  }

  #try(work: () => Promise<void>): void {
    work().catch((thrown: unknown) => this.#parts.report(thrown));
  }
}
