/** Sessions in IndexedDB. */

import 'fake-indexeddb/auto';
import { expect, test, vi } from 'vitest';
import type { StoredEvent, SessionStore } from '../session/log/session-store.ts';
import { openDatabase, type Database } from '../../runtime/storage/db.ts';
import { openSessionStore } from './session-store.ts';

let count = 0;

async function open(): Promise<{ store: SessionStore; database: Database }> {
  const database = await openDatabase(`/sessions-${String((count += 1))}/`, () => undefined);
  return { store: openSessionStore(() => Promise.resolve(database)), database };
}

function events(...ns: readonly number[]): StoredEvent[] {
  return ns.map((n) => ({ n, text: `event ${n}` }));
}

test('events are returned in order, within the requested range, and only those of the session', async () => {
  const { store } = await open();
  expect(await store.append('a', 'head 1', events(0, 1, 2, 3, 4, 5, 6, 7, 8, 9), [])).toBe(true);
  expect(await store.append('a', 'head 2', events(10, 11), [])).toBe(true);
  await store.append('a0', 'other', events(0), []);
  expect([
    await store.events('a', 0, 2),
    await store.events('a', 8, 100),
    await store.events('b', 0, 100),
    await store.sessions(),
  ]).toEqual([
    ['event 0', 'event 1'],
    ['event 8', 'event 9', 'event 10', 'event 11'],
    [],
    [
      { id: 'a', head: 'head 2', removedAt: null },
      { id: 'a0', head: 'other', removedAt: null },
    ],
  ]);
});

test('nothing is stored if another page has written', async () => {
  const { store } = await open();
  await store.append('a', 'theirs', events(0, 1), []);
  await store.draft({ session: 'a', stepId: 's', piece: 0, grown: '[]' });
  expect(await store.append('a', 'ours', events(1, 2), ['s'])).toBe(false);
  expect([await store.events('a', 0, 9), await store.drafts('a', 's')]).toEqual([
    ['event 0', 'event 1'],
    ['[]'],
  ]);
  expect(await store.sessions()).toEqual([{ id: 'a', head: 'theirs', removedAt: null }]);
});

test('drafts are returned in order until their step has ended', async () => {
  const { store } = await open();
  for (const piece of [10, 9, 0]) {
    await store.draft({ session: 'a', stepId: 's', piece, grown: `piece ${piece}` });
  }
  await store.draft({ session: 'a', stepId: 't', piece: 0, grown: 'of another step' });
  expect(await store.drafts('a', 's')).toEqual(['piece 0', 'piece 9', 'piece 10']);
  await store.append('a', 'head', events(0), ['s']);
  expect([await store.drafts('a', 's'), await store.drafts('a', 't')]).toEqual([
    [],
    ['of another step'],
  ]);
});

test('events that are set aside leave the log, and are not lost', async () => {
  const { store, database } = await open();
  await store.append('a', 'head', events(0, 1, 2, 3), []);
  await store.quarantine('a', 2);
  expect([await store.events('a', 0, 9), await store.append('a', 'head', events(2), [])]).toEqual([
    ['event 0', 'event 1'],
    true,
  ]);
  expect((await database.getAll('events')).sort()).toEqual([
    'event 0',
    'event 1',
    'event 2',
    'event 2',
    'event 3',
  ]);
});

test('a session can be marked as removed, restored, and deleted with all of its data', async () => {
  const { store, database } = await open();
  await store.append('a', 'head', events(0, 1), []);
  await store.append('ab', 'other', events(0), []);
  await store.draft({ session: 'a', stepId: 's', piece: 0, grown: '[]' });
  await store.quarantine('a', 1);
  await store.markRemoved('a', 5);
  const [marked] = await store.sessions();
  await store.markRemoved('a', null);
  const [unmarked] = await store.sessions();
  await store.markRemoved('a', 6);
  expect(await store.remove('a', 6)).toBe('done');
  expect([marked?.removedAt, unmarked?.removedAt, await store.sessions()]).toEqual([
    5,
    null,
    [{ id: 'ab', head: 'other', removedAt: null }],
  ]);
  expect([
    await database.getAll('events'),
    await database.getAll('drafts'),
    await database.getAll('removed'),
  ]).toEqual([['event 0'], [], []]);
});

test('a session that was restored, or removed again, is not deleted', async () => {
  const { store } = await open();
  await store.append('a', 'head', events(0, 1), []);
  await store.markRemoved('a', 5);
  expect(await store.remove('a', 4)).toBe('marked-anew');
  await store.markRemoved('a', null);
  expect(await store.remove('a', 5)).toBe('put-back');
  expect([await store.events('a', 0, 9), await store.sessions()]).toEqual([
    ['event 0', 'event 1'],
    [{ id: 'a', head: 'head', removedAt: null }],
  ]);
});

test('an aborted transaction, as on a full disk, rejects and writes nothing', async () => {
  const { store, database } = await open();
  vi.spyOn(IDBTransaction.prototype, 'commit').mockImplementation(function (this: IDBTransaction) {
    this.abort();
  });
  await expect(store.append('a', 'head', events(0), [])).rejects.toBeInstanceOf(DOMException);
  await expect(
    store.draft({ session: 'a', stepId: 's', piece: 0, grown: '[]' }),
  ).rejects.toBeInstanceOf(DOMException);
  vi.restoreAllMocks();
  expect([
    await database.getAll('events'),
    await database.getAll('sessions'),
    await database.getAll('drafts'),
  ]).toEqual([[], [], []]);
});
