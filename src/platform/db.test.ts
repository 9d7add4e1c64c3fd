/** Tests of opening the database. */

import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { openDB } from 'idb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openDatabase } from './db.ts';

const base = '/docs/cloche/';
const name = `cloche:${base}`;
const stores = [
  ...['begun', 'calls', 'copies', 'folders', 'listing', 'packages', 'policies', 'snapshots'],
  ...['wheels', 'workspaces'],
];
const ignore = (): void => undefined;

beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory());
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('is made with its stores, under the name of its base path', async () => {
  const database = await openDatabase(base, ignore);
  expect([database.name, database.version, [...database.objectStoreNames]]).toEqual([
    name,
    6,
    stores,
  ]);
  database.close();
});

test('keeps what it holds from one opening to the next', async () => {
  const first = await openDatabase(base, ignore);
  await first.put('listing', { id: 'latest', body: '{}', etag: '"1"' });
  first.close();
  const second = await openDatabase(base, ignore);
  expect(await second.get('listing', 'latest')).toEqual({ id: 'latest', body: '{}', etag: '"1"' });
});

test('one of version 1 is brought up to date and keeps what it holds', async () => {
  const old = await openDB(name, 1, {
    upgrade: (database) => {
      database.createObjectStore('calls', { keyPath: 'id' }).createIndex('at', 'at');
      database.createObjectStore('listing', { keyPath: 'id' });
    },
  });
  await old.put('listing', { id: 'latest', body: '{}', etag: '"1"' });
  await old.put('calls', { id: 'call-1', at: 5 });
  old.close();
  const database = await openDatabase(base, ignore);
  expect([
    database.version,
    [...database.objectStoreNames],
    await database.get('listing', 'latest'),
    await database.getAllFromIndex('calls', 'at'),
    await database.getAll('folders'),
  ]).toEqual([6, stores, { id: 'latest', body: '{}', etag: '"1"' }, [{ id: 'call-1', at: 5 }], []]);
});

test('two base paths share nothing', async () => {
  const one = await openDatabase('/a/', ignore);
  const other = await openDatabase('/b/', ignore);
  await one.put('listing', { id: 'latest', body: '{}', etag: '"1"' });
  expect(await other.get('listing', 'latest')).toBe(undefined);
});

test('a database that something else left behind empty is made anew', async () => {
  (await openDB(name, 1)).close();
  const database = await openDatabase(base, ignore);
  expect([...database.objectStoreNames]).toEqual(stores);
});

test('one of a newer version is left alone, and what to do is said', async () => {
  (await openDB(name, 99)).close();
  await expect(openDatabase(base, ignore)).rejects.toMatchObject({
    code: 'storage',
    message: 'What is stored was written by a newer version of Cloche.',
    hint: 'Reload the page to get the newer version.',
  });
  const untouched = await openDB(name);
  expect(untouched.version).toBe(99);
});

test('gives way to a newer version in another tab, and says that it is closed', async () => {
  const closed = vi.fn();
  await openDatabase(base, closed);
  const newer = await openDB(name, 7);
  expect([newer.version, closed.mock.calls.length]).toEqual([7, 1]);
});

test('an old tab that holds on to its storage is told, not waited for', async () => {
  // A tab of a version before this one that does not give way.
  const old = await openDB(name, 1);
  const opening = indexedDB.open.bind(indexedDB);
  vi.spyOn(indexedDB, 'open').mockImplementation((which) => opening(which, 2));
  await expect(openDatabase(base, ignore)).rejects.toMatchObject({
    code: 'storage',
    hint: 'Close the other tabs of Cloche and reload this one.',
  });
  old.close();
});

test('a browser without storage is told', async () => {
  vi.stubGlobal('indexedDB', undefined);
  await expect(openDatabase(base, ignore)).rejects.toMatchObject({
    code: 'storage',
    message: 'This browser has no IndexedDB.',
  });
});

test('a browser that refuses is told', async () => {
  vi.spyOn(indexedDB, 'open').mockImplementation(() => {
    throw new DOMException('The operation is insecure.', 'SecurityError');
  });
  await expect(openDatabase(base, ignore)).rejects.toMatchObject({
    code: 'storage',
    message: 'The operation is insecure.',
  });
});

test('a browser that never answers is not waited for', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.spyOn(indexedDB, 'open').mockImplementation(() => new IDBOpenDBRequest());
  const opening = openDatabase(base, ignore);
  const outcome = expect(opening).rejects.toMatchObject({
    code: 'storage',
    message: 'The browser’s storage did not answer.',
  });
  await vi.advanceTimersByTimeAsync(10_000);
  await outcome;
});
