/** The list of stored sessions: search, import, and deletion with undo. */

import { coalesce, type Coalesced } from '../../../../runtime/async/coalesce.ts';
import type { Excerpt, FoundSession } from '../../../../agent/session/search-sessions.ts';
import type { SessionHead } from '../../../../runtime/spec/session.ts';
import { faultOf, type Fault } from '../fault.ts';
import type { LiveSessionsControl, StoredSessions } from '../../../../agent/create-agent.ts';

interface Deps {
  readonly stored: Omit<StoredSessions, 'export' | 'import'>;
  readonly liveSessions: Pick<LiveSessionsControl, 'remove'>;
}

/** Time during which deletion can be undone; the data is removed a little later. Milliseconds. */
const undoMs = 55_000;
/** Interval between searches while the user types; milliseconds. */
const lookMs = 150;
/** Interval between two readings of the list, which changes with each event of a running turn; milliseconds. */
const readMs = 250;

export class SessionList {
  #deps: Deps | null = $state.raw(null);
  /** All sessions, also during a search. */
  all: readonly SessionHead[] = $state.raw([]);
  loaded: boolean = $state(false);
  query: string = $state('');
  /** Results of the search; null if there is none. */
  #found: readonly FoundSession[] | null = $state.raw(null);
  searching: boolean = $state(false);
  fault: Fault | null = $state.raw(null);
  #removed: { readonly head: SessionHead; readonly undo: () => void } | null = $state.raw(null);
  #undoTimer: ReturnType<typeof setTimeout> | undefined;
  #search = new AbortController();
  readonly #look: Coalesced = coalesce(() => void this.#lookUp(), lookMs);
  readonly #readSoon: Coalesced = coalesce(() => this.#read(), readMs);

  connect(deps: Deps): void {
    const { stored } = deps;
    this.#deps = deps;
    stored.observe(this.#readSoon);
    this.#read();
    void stored.loaded.then(() => {
      this.loaded = true;
      this.#read();
    });
  }

  /** The found sessions, or all without a search; newest first. */
  get shown(): readonly SessionHead[] {
    return this.#found?.map(({ head }) => head) ?? this.all;
  }

  /**
   * Returns where the search has found a word in the session; null if it has not, or there is no
   * search.
   */
  excerptOf(id: string): Excerpt | null {
    return this.#found?.find(({ head }) => head.id === id)?.excerpt ?? null;
  }

  /** Title of a stored session; null if it is not stored here. */
  titleOf(id: string): string | null {
    const head = this.all.find((each) => each.id === id);
    return head === undefined ? null : titleOf(head);
  }

  get count(): number {
    return this.all.length;
  }

  /** The session that was deleted last, while it can be restored. */
  get removed(): SessionHead | null {
    return this.#removed?.head ?? null;
  }

  search(query: string): void {
    this.query = query;
    if (query.trim() === '') {
      this.#search.abort();
      this.#look.cancel();
      this.#found = null;
      this.searching = false;
    } else this.#look();
  }

  remove(head: SessionHead): void {
    if (this.#deps === null) return;
    this.#removed = { head, undo: this.#deps.liveSessions.remove(head.id) };
    this.#readSoon.now();
    clearTimeout(this.#undoTimer);
    this.#undoTimer = setTimeout(() => (this.#removed = null), undoMs);
    this.#found = this.#found?.filter((found) => found.head.id !== head.id) ?? null;
  }

  undo(): void {
    this.#removed?.undo();
    this.#readSoon.now();
    this.#removed = null;
  }

  dismiss(): void {
    this.#removed = null;
    this.fault = null;
  }

  async rename(id: string, title: string): Promise<void> {
    await this.attempt(() => this.#deps?.stored.rename(id, title));
    this.#readSoon.now();
  }

  /** Runs an action, and shows the error if it fails. */
  async attempt<T>(work: () => Promise<T> | undefined): Promise<T | undefined> {
    this.fault = null;
    try {
      return await work();
    } catch (thrown) {
      this.fault = faultOf(thrown);
      return undefined;
    }
  }

  #read(): void {
    if (this.#deps === null) return;
    // Sessions of sub-agents are shown with their runs.
    this.all = this.#deps.stored.list().filter(({ run }) => run === undefined);
    if (this.query !== '') this.#look();
  }

  async #lookUp(): Promise<void> {
    this.#search.abort();
    const { signal } = (this.#search = new AbortController());
    this.searching = true;
    const found = await this.attempt(() => this.#deps?.stored.search(signal, this.query));
    // A newer search, or an empty one, has replaced this one.
    if (signal.aborted) return;
    this.searching = false;
    this.#found = found ?? [];
  }
}

export function titleOf({ title, messages }: Pick<SessionHead, 'title' | 'messages'>): string {
  if (title !== '') return title;
  return messages === 0 ? 'New session' : 'Untitled session';
}
