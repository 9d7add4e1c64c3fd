/** Sessions in IndexedDB. */

import type { SessionStore } from '../session/log/session-store.ts';
import type { Database } from '../../runtime/storage/db.ts';

/** Key prefix of events that were set aside, which differs from every session id. */
const quarantined = 'aside';

export function openSessionStore(database: () => Promise<Database>): SessionStore {
  return {
    sessions: async () => {
      const transaction = (await database()).transaction(['sessions', 'removed']);
      const heads = transaction.objectStore('sessions');
      const marks = transaction.objectStore('removed');
      const [ids, texts, removed, times] = await Promise.all([
        heads.getAllKeys(),
        heads.getAll(),
        marks.getAllKeys(),
        marks.getAll(),
      ]);
      const removedAt = new Map(removed.map((id, index) => [id, times[index]]));
      return ids.map((id, index) => ({
        id,
        head: texts[index],
        removedAt: removedAt.get(id) ?? null,
      }));
    },
    events: async (session, from, max) =>
      (await database()).getAll('events', allFrom([session, from]), max),
    append: async (session, head, events, endedSteps) => {
      const transaction = (await database()).transaction(
        ['sessions', 'events', 'drafts'],
        'readwrite',
      );
      const writes: Promise<unknown>[] = [transaction.done];
      const store = transaction.objectStore('events');
      // @mutant two pages do not write one entry => store.add -> store.put [src/agent/storage/session-store.test.ts
      //   src/agent/storage/sessions.test.ts]
      for (const { n, text } of events) writes.push(store.add(text, [session, n]));
      writes.push(transaction.objectStore('sessions').put(head, session));
      const drafts = transaction.objectStore('drafts');
      for (const stepId of endedSteps) writes.push(drafts.delete(keysBelow([session, stepId])));
      // Commit explicitly: if the page closes, uncommitted changes are lost.
      transaction.commit();
      const outcomes = await Promise.allSettled(writes);
      const failures = outcomes.filter((outcome) => outcome.status === 'rejected');
      if (failures.some(({ reason }) => isNamed(reason, 'ConstraintError'))) return false;
      if (failures[0] !== undefined) throw failures[0].reason;
      return true;
    },
    draft: async ({ session, stepId, piece, grown }) => {
      const transaction = (await database()).transaction('drafts', 'readwrite');
      const put = transaction.store.put(grown, [session, stepId, piece]);
      transaction.commit();
      await Promise.all([put, transaction.done]);
    },
    drafts: async (session, stepId) =>
      (await database()).getAll('drafts', keysBelow([session, stepId])),
    quarantine: async (session, from) => {
      const transaction = (await database()).transaction('events', 'readwrite');
      const time = Date.now();
      for await (const cursor of transaction.store.iterate(allFrom([session, from]))) {
        const [, n] = cursor.key;
        await transaction.store.put(cursor.value, [`${quarantined} ${session} ${time}`, n]);
        await cursor.delete();
      }
      await transaction.done;
    },
    markRemoved: async (session, at) => {
      const opened = await database();
      if (at === null) await opened.delete('removed', session);
      else await opened.put('removed', at, session);
    },
    remove: async (session, markedAt) => {
      const stores = ['sessions', 'removed', 'events', 'drafts'] as const;
      const transaction = (await database()).transaction(stores, 'readwrite');
      // Another page may have restored the session without being able to notify this one.
      const mark = await transaction.objectStore('removed').get(session);
      if (mark !== markedAt) return mark === undefined ? 'put-back' : 'marked-anew';
      const events = transaction.objectStore('events');
      await Promise.all([
        transaction.objectStore('sessions').delete(session),
        transaction.objectStore('removed').delete(session),
        events.delete(keysBelow([session])),
        events.delete(
          IDBKeyRange.bound([`${quarantined} ${session} `], [`${quarantined} ${session} :`]),
        ),
        transaction.objectStore('drafts').delete(keysBelow([session])),
        transaction.done,
      ]);
      return 'done';
    },
  };
}

/** All keys with this prefix: an array sorts after any other type of key. */
function keysBelow(begin: readonly string[]): IDBKeyRange {
  return IDBKeyRange.bound([...begin], [...begin, []]);
}

function allFrom([session, n]: readonly [session: string, n: number]): IDBKeyRange {
  return IDBKeyRange.bound([session, n], [session, []]);
}

function isNamed(thrown: unknown, name: string): boolean {
  return thrown instanceof DOMException && thrown.name === name;
}
