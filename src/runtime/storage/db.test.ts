/** Tests of opening the database. */

import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { openDB, type IDBPDatabase } from 'idb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openDatabase } from './db.ts';

const base = '/docs/cloche/';
const name = `cloche:${base}`;
const stores = [
  'begun',
  'calls',
  'copies',
  'drafts',
  'edits',
  'evals',
  'events',
  'files',
  'folders',
  'keys',
  'listing',
  'packages',
  'policies',
  'providers',
  'removed',
  'runs',
  'servers',
  'sessions',
  'snapshots',
  'wheels',
  'workspaces',
];
const ignore = (): void => undefined;

beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory());
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('a new database has its stores, under the name of its base path', async () => {
  const database = await openDatabase(base, ignore);
  expect([database.name, database.version, [...database.objectStoreNames]]).toEqual([
    name,
    12,
    stores,
  ]);
  database.close();
});

test('contents stay from one opening to the next', async () => {
  const first = await openDatabase(base, ignore);
  await first.put('listing', { id: 'latest', body: '{}', etag: '"1"' });
  first.close();
  const second = await openDatabase(base, ignore);
  expect(await second.get('listing', 'latest')).toEqual({ id: 'latest', body: '{}', etag: '"1"' });
});

/** The stores that each version added, with sample content. */
const versions: readonly ((database: IDBPDatabase) => readonly Kept[])[] = [
  (database) => {
    database.createObjectStore('calls', { keyPath: 'id' }).createIndex('at', 'at');
    database.createObjectStore('listing', { keyPath: 'id' });
    return [
      ['calls', { id: 'call-1', at: 5 }],
      ['listing', { id: 'latest', body: '{}', etag: '"1"' }],
    ];
  },
  (database) => {
    database.createObjectStore('folders', { keyPath: 'id' });
    database.createObjectStore('copies');
    return [
      ['folders', { id: 'folder-1' }],
      ['copies', { manifest: 1 }, 'a'],
    ];
  },
  (database) => {
    database.createObjectStore('snapshots');
    return [['snapshots', { manifest: 2 }, 'b']];
  },
  (database) => {
    database.createObjectStore('begun', { keyPath: 'id' });
    return [['begun', { id: 'call-2' }]];
  },
  (database) => {
    database.createObjectStore('policies', { keyPath: 'id' });
    database.createObjectStore('workspaces', { keyPath: 'id' });
    return [
      ['policies', { id: 'folder-1', version: 1 }],
      ['workspaces', { id: 'folder-1' }],
    ];
  },
  (database) => {
    database.createObjectStore('wheels');
    database.createObjectStore('packages');
    return [
      ['wheels', { manifest: 3 }, 'c'],
      ['packages', { wheels: [] }, 'd'],
    ];
  },
  (database) => {
    for (const store of ['sessions', 'events', 'drafts', 'removed', 'keys'])
      database.createObjectStore(store);
    database.createObjectStore('providers', { keyPath: 'id' });
    return [
      ['sessions', '{}', 's1'],
      ['events', '{}', 'e1'],
      ['providers', { id: 'p1' }],
    ];
  },
  (database) => {
    database.createObjectStore('edits');
    return [['edits', { text: 'x' }, 'f1']];
  },
  (database) => {
    database.createObjectStore('runs');
    return [['runs', '{}', 'r1']];
  },
  (database) => {
    database.createObjectStore('evals');
    return [['evals', '{}', 'v1']];
  },
];

type Kept = readonly [store: string, value: unknown, key?: string];

test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])(
  'one of version %i is brought up to date and keeps what it holds',
  async (version) => {
    const kept: Kept[] = [];
    const old = await openDB(name, version, {
      upgrade: (database) => {
        for (const make of versions.slice(0, version)) kept.push(...make(database));
      },
    });
    for (const [store, value, key] of kept) await old.put(store, value, key);
    old.close();
    const database = await openDatabase(base, ignore);
    expect([database.version, [...database.objectStoreNames]]).toEqual([12, stores]);
    const found = stores.map((store) => (database as unknown as IDBPDatabase).getAll(store));
    expect((await Promise.all(found)).flat()).toHaveLength(kept.length);
    for (const [store, value, key = (value as { id: string }).id] of kept)
      expect(await (database as unknown as IDBPDatabase).get(store, key)).toEqual(value);
    expect(await database.getAllFromIndex('calls', 'at')).toEqual([{ id: 'call-1', at: 5 }]);
  },
);

test('two base paths share nothing', async () => {
  const one = await openDatabase('/a/', ignore);
  const other = await openDatabase('/b/', ignore);
  await one.put('listing', { id: 'latest', body: '{}', etag: '"1"' });
  expect(await other.get('listing', 'latest')).toBe(undefined);
});

test('an empty database that another program created is created again', async () => {
  (await openDB(name, 1)).close();
  const database = await openDatabase(base, ignore);
  expect([...database.objectStoreNames]).toEqual(stores);
});

test('a database of a newer version is not changed, and the error names a remedy', async () => {
  (await openDB(name, 99)).close();
  await expect(openDatabase(base, ignore)).rejects.toMatchObject({
    code: 'storage',
    message: 'The stored data was written by a newer version of Cloche.',
    hint: 'Reload the page to get the newer version.',
  });
  const untouched = await openDB(name);
  expect(untouched.version).toBe(99);
});

test('the connection closes for a newer version in another tab, and reports it', async () => {
  const closed = vi.fn();
  await openDatabase(base, closed);
  const newer = await openDB(name, 13);
  expect([newer.version, closed.mock.calls.length]).toEqual([13, 1]);
});

test('an old tab that blocks the upgrade is reported without waiting', async () => {
  // A tab of an older version that does not close its connection.
  const old = await openDB(name, 1);
  const opening = indexedDB.open.bind(indexedDB);
  vi.spyOn(indexedDB, 'open').mockImplementation((which) => opening(which, 2));
  await expect(openDatabase(base, ignore)).rejects.toMatchObject({
    code: 'storage',
    hint: 'Close the other tabs of Cloche and reload this one.',
  });
  old.close();
});

test('a browser without storage is reported', async () => {
  vi.stubGlobal('indexedDB', undefined);
  await expect(openDatabase(base, ignore)).rejects.toMatchObject({
    code: 'storage',
    message: 'This browser has no IndexedDB.',
  });
});

test('a browser that refuses storage is reported', async () => {
  vi.spyOn(indexedDB, 'open').mockImplementation(() => {
    throw new DOMException('The operation is insecure.', 'SecurityError');
  });
  await expect(openDatabase(base, ignore)).rejects.toMatchObject({
    code: 'storage',
    message: 'The operation is insecure.',
  });
});

test('a browser that never answers is reported after a timeout', async () => {
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
