/** Tests of the call log and the listing in IndexedDB. */

import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { openDB } from 'idb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakeLogged } from '../call/logged-call.fixture.ts';
import type { LoggedCall } from '../spec/call.ts';
import { openStorage, type Storage } from './call-store.ts';

const base = '/';

beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory());
});

afterEach(() => {
  vi.unstubAllGlobals();
});

async function kept(storage: Storage): Promise<LoggedCall[]> {
  const calls: LoggedCall[] = [];
  await storage.calls.load((logged) => calls.push(logged));
  return calls;
}

test('a new store is empty', async () => {
  expect(await kept(openStorage(base, false))).toEqual([]);
});

test('calls are loaded whole, oldest first, at the next visit too', async () => {
  await openStorage(base, false).calls.write([fakeLogged(3)], [], []);
  await openStorage(base, false).calls.write([fakeLogged(1), fakeLogged(2)], [], []);
  expect(await kept(openStorage(base, false))).toEqual([
    fakeLogged(1),
    fakeLogged(2),
    fakeLogged(3),
  ]);
});

test('calls that earlier versions stored as those of a person are the user’s', async () => {
  const storage = openStorage(base, false);
  const before = (n: number): LoggedCall => {
    const logged = fakeLogged(n);
    return { ...logged, call: { ...logged.call, caller: 'person' as 'user' } };
  };
  // One call in a record of its own, two in a batch.
  await storage.calls.write([before(1)], [], []);
  await storage.calls.write([before(2), before(3)], [], []);
  expect(await kept(storage)).toEqual([fakeLogged(1), fakeLogged(2), fakeLogged(3)]);
  const { result: _, cut: __, ...begun } = before(4);
  await storage.calls.begin([{ ...begun, page: 'p' }]);
  expect(await storage.calls.begun()).toMatchObject([{ id: 'call-4', call: { caller: 'user' } }]);
});

test('two calls with the same time are both stored', async () => {
  const storage = openStorage(base, false);
  await storage.calls.write([fakeLogged(1), { ...fakeLogged(2), at: 1 }], [], []);
  expect(await kept(storage)).toHaveLength(2);
});

test('dropped calls are deleted, and unknown ids are ignored', async () => {
  const storage = openStorage(base, false);
  await storage.calls.write([fakeLogged(1)], [], []);
  await storage.calls.write([fakeLogged(2)], [], []);
  await storage.calls.write([fakeLogged(3)], ['call-1', 'call-99'], []);
  expect(await kept(storage)).toEqual([fakeLogged(2), fakeLogged(3)]);
});

test.each<[string, (storage: Storage) => Promise<Storage>]>([
  ['at the same visit', (storage) => Promise.resolve(storage)],
  [
    'at the next visit',
    async () => {
      const storage = openStorage(base, false);
      await kept(storage);
      return storage;
    },
  ],
])('calls written together are deleted when the last of them is dropped, %s', async (_, at) => {
  const first = openStorage(base, false);
  await first.calls.write([fakeLogged(1), fakeLogged(2)], [], []);
  const storage = await at(first);
  await storage.calls.write([], ['call-1'], []);
  expect(await kept(openStorage(base, false))).toHaveLength(2);
  await storage.calls.write([], ['call-2'], []);
  expect(await kept(openStorage(base, false))).toEqual([]);
});

test('many calls take few records, and large ones a record each', async () => {
  const storage = openStorage(base, false);
  const large = { ...fakeLogged(0), folder: '' };
  const big = (n: number): LoggedCall => ({
    ...fakeLogged(n),
    call: { ...large.call, id: `call-${n}`, arguments: 'x'.repeat(600_000) },
  });
  await storage.calls.write(
    Array.from({ length: 250 }, (_, n) => fakeLogged(n)),
    [],
    [],
  );
  const database = await openDB(`cloche:${base}`);
  expect(await database.count('calls')).toBe(3);
  await storage.calls.write([big(301), big(302), fakeLogged(303)], [], []);
  expect(await database.count('calls')).toBe(6);
  expect(await kept(openStorage(base, false))).toHaveLength(253);
});

test('a batch that cannot be stored is not stored in part', async () => {
  const storage = openStorage(base, false);
  const uncloneable = { ...fakeLogged(2), folder: (() => '') as unknown as string };
  await expect(storage.calls.write([fakeLogged(1), uncloneable], [], [])).rejects.toThrow();
  expect(await kept(storage)).toEqual([]);
});

test('clear deletes the calls, not the tool list', async () => {
  const storage = openStorage(base, false);
  const listing = { id: 'latest', body: '{"state":"ready"}', etag: '"1"' } as const;
  await storage.saveListing(listing);
  await storage.calls.write([fakeLogged(1)], [], []);
  await storage.calls.clear();
  expect(await kept(storage)).toEqual([]);
  const database = await openDB(`cloche:${base}`);
  expect(await database.getAll('listing')).toEqual([listing]);
});

test('a new tool list replaces the old one', async () => {
  const storage = openStorage(base, false);
  await storage.saveListing({ id: 'latest', body: 'old', etag: '"1"' });
  await storage.saveListing({ id: 'latest', body: 'new', etag: '"2"' });
  const database = await openDB(`cloche:${base}`);
  expect(await database.getAll('listing')).toEqual([{ id: 'latest', body: 'new', etag: '"2"' }]);
});

test('the database is opened again after another tab caused it to close', async () => {
  const storage = openStorage(base, false);
  await storage.calls.write([fakeLogged(1)], [], []);
  await new Promise<void>((resolve, reject) => {
    // Another tab deletes the site's data: the connection is asked to close.
    const request = indexedDB.deleteDatabase(`cloche:${base}`);
    request.onsuccess = () => resolve();
    request.onerror = () => reject(new Error('not deleted'));
  });
  await storage.calls.write([fakeLogged(2)], [], []);
  expect(await kept(storage)).toEqual([fakeLogged(2)]);
});

test('opening is tried again after a failure', async () => {
  const storage = openStorage(base, false);
  const factory = indexedDB;
  vi.stubGlobal('indexedDB', undefined);
  await expect(kept(storage)).rejects.toMatchObject({ code: 'storage' });
  vi.stubGlobal('indexedDB', factory);
  expect(await kept(storage)).toEqual([]);
});

test('in a frame of another origin, nothing is read or written', async () => {
  await openStorage(base, false).calls.write([fakeLogged(1)], [], []);
  const framed = openStorage(base, true);
  await expect(framed.database()).rejects.toThrow('frame of another site');
  await expect(framed.calls.write([fakeLogged(2)], [], [])).rejects.toThrow('frame');
  await expect(kept(framed)).rejects.toThrow('frame');
  expect(await kept(openStorage(base, false))).toEqual([fakeLogged(1)]);
});

test('a marked call is dropped with the copy that was stored before it was marked', async () => {
  const marked = { ...fakeLogged(1), mark: { name: 'Mine', pinned: true, at: 5 } };
  const storage = openStorage(base, false);
  await storage.calls.write([fakeLogged(1), fakeLogged(2)], [], []);
  await storage.calls.write([marked], [], []);
  expect((await kept(storage)).filter(({ id }) => id === 'call-1')).toHaveLength(2);
  const next = openStorage(base, false);
  await kept(next);
  await next.calls.write([], ['call-1', 'call-2'], []);
  expect(await kept(openStorage(base, false))).toEqual([]);
});
