/** A browser with sessions stored in memory, shared by several pages. */

import {
  parseSessionMessage,
  type SessionMessage,
} from '../../../runtime/protocol/session-pages.ts';
import type { SessionPages } from './session-claim.ts';
import type { SessionStore } from './session-store.ts';

export class FakeBrowser {
  /** By session and event number, separated by a space. */
  readonly events = new Map<string, unknown>();
  readonly heads = new Map<string, unknown>();
  readonly removed = new Map<string, number>();
  /** By session and step id, separated by a space. */
  readonly drafts = new Map<string, unknown[]>();
  readonly quarantined: unknown[] = [];
  /** If set, every store operation rejects with it. */
  failure: Error | null = null;
  /** Called before each write. */
  beforeWrite: () => unknown = () => undefined;
  /** All messages that were sent, in order. */
  readonly sent: SessionMessage[] = [];
  readonly #holders = new Map<string, () => void>();
  readonly #listeners = new Set<{ page: object; onMessage(message: SessionMessage): void }>();

  /** Returns a browser with the same stored sessions, and no pages. */
  afterCrash(): FakeBrowser {
    const after = new FakeBrowser();
    for (const [key, value] of this.events) after.events.set(key, value);
    for (const [key, value] of this.heads) after.heads.set(key, value);
    for (const [key, pieces] of this.drafts) after.drafts.set(key, [...pieces]);
    return after;
  }

  /** The stored texts of a session. */
  texts(session: string): unknown[] {
    const texts: unknown[] = [];
    for (let n = 0; this.events.has(`${session} ${n}`); n += 1)
      texts.push(this.events.get(`${session} ${n}`));
    return texts;
  }

  store(): SessionStore {
    const use = async <T>(work: () => T): Promise<T> => {
      await Promise.resolve();
      if (this.failure !== null) throw this.failure;
      return work();
    };
    return {
      sessions: () =>
        use(() =>
          [...this.heads].map(([id, head]) => ({
            id,
            head,
            removedAt: this.removed.get(id) ?? null,
          })),
        ),
      events: (session, from, max) =>
        use(() => {
          const all = [...this.events.keys()].filter((key) => key.startsWith(`${session} `));
          const ns = all.map((key) => Number(key.slice(session.length + 1))).sort((a, b) => a - b);
          const wanted = ns.filter((n) => n >= from).slice(0, max);
          return wanted.map((n) => this.events.get(`${session} ${n}`));
        }),
      append: (session, head, events, endedSteps) =>
        use(() => {
          this.beforeWrite();
          if (events.some(({ n }) => this.events.has(`${session} ${n}`))) return false;
          for (const { n, text } of events) this.events.set(`${session} ${n}`, text);
          for (const stepId of endedSteps) this.drafts.delete(`${session} ${stepId}`);
          this.heads.set(session, head);
          return true;
        }),
      draft: ({ session, stepId, piece, grown }) =>
        use(() => {
          const pieces = this.drafts.get(`${session} ${stepId}`) ?? [];
          pieces[piece] = grown;
          this.drafts.set(`${session} ${stepId}`, pieces);
        }),
      drafts: (session, stepId) => use(() => this.drafts.get(`${session} ${stepId}`) ?? []),
      quarantine: (session, from) =>
        use(() => {
          for (const [key, value] of [...this.events]) {
            if (!key.startsWith(`${session} `) || Number(key.split(' ')[1]) < from) continue;
            this.events.delete(key);
            this.quarantined.push(value);
          }
        }),
      markRemoved: (session, at) =>
        use(() => {
          if (at === null) this.removed.delete(session);
          else this.removed.set(session, at);
        }),
      remove: (session, markedAt) =>
        use(() => {
          const mark = this.removed.get(session);
          if (mark !== markedAt) return mark === undefined ? 'put-back' : 'marked-anew';
          for (const stored of [this.events, this.drafts] as Map<string, unknown>[])
            for (const key of [...stored.keys()])
              if (key.startsWith(`${session} `)) stored.delete(key);
          this.heads.delete(session);
          this.removed.delete(session);
          return 'done';
        }),
    };
  }

  /** Opens a page. @param exclusive false for a browser without locks */
  page(exclusive = true): SessionPages {
    const page = {};
    return {
      exclusive,
      take: async (session, { steal = false, onLost = () => undefined } = {}) => {
        await Promise.resolve();
        if (!exclusive) return () => Promise.resolve();
        const holder = this.#holders.get(session);
        if (holder !== undefined && !steal) return null;
        this.#holders.set(session, onLost);
        holder?.();
        return async () => {
          await Promise.resolve();
          if (this.#holders.get(session) === onLost) this.#holders.delete(session);
        };
      },
      send: (message) => {
        this.sent.push(message);
        const copy: unknown = structuredClone(message);
        const read = parseSessionMessage(copy);
        if (read === null) throw new Error('no message');
        for (const other of this.#listeners)
          if (other.page !== page) void Promise.resolve().then(() => other.onMessage(read));
      },
      observe: (onMessage) => {
        const listener = { page, onMessage };
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
      },
    };
  }
}
