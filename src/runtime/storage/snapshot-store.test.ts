/** Storing snapshots, and recognising damaged ones. */

import 'fake-indexeddb/auto';
import { beforeEach, expect, test } from 'vitest';
import { openDatabase, type Database } from './db.ts';
import { openSnapshotStore } from './snapshot-store.ts';
import type { MemorySnapshot, SnapshotStore } from '../spec/interpreter.ts';

let count = 0;
let database: Database;
let store: SnapshotStore;

beforeEach(async () => {
  const path = `/snapshots-${String((count += 1))}/`;
  database = await openDatabase(path, () => undefined);
  store = openSnapshotStore(undefined, path, () => Promise.resolve(database));
});

function snapshot(key: string, text: string): MemorySnapshot {
  return { key, content: new Blob([text]), sha256: `hash of ${text}` };
}

async function read(): Promise<unknown> {
  const found = await store.read();
  return found && { ...found, content: await found.content.text() };
}

test('a stored snapshot is returned', async () => {
  expect([await read(), await store.bytes()]).toEqual([null, 0]);
  await store.write(snapshot('a', 'memory'));
  expect(await read()).toEqual({ key: 'a', content: 'memory', sha256: 'hash of memory' });
  expect(await store.bytes()).toBe(6);
});

test('only the last snapshot is stored', async () => {
  await store.write(snapshot('a', 'memory'));
  await store.write(snapshot('b', 'another'));
  expect([await read(), await store.bytes()]).toEqual([
    { key: 'b', content: 'another', sha256: 'hash of another' },
    7,
  ]);
  expect(await database.count('snapshots')).toBe(1);
});

test('nothing is returned after clear', async () => {
  await store.write(snapshot('a', 'memory'));
  await store.clear();
  expect([await read(), await store.bytes()]).toEqual([null, 0]);
});

test.each([
  ['cut off', { version: 1, key: 'a', bytes: 6, sha256: 'x' }, 'memor'],
  ['of a later form', { version: 2, key: 'a', bytes: 6, sha256: 'x' }, 'memory'],
  ['without a hash', { version: 1, key: 'a', bytes: 6 }, 'memory'],
  ['without a manifest', null, 'memory'],
])('a snapshot that is %s is ignored', async (_, manifest, text) => {
  await database.put('snapshots', { manifest, content: new Blob([text]) }, 'python');
  expect(await store.read()).toBeNull();
});

test('blocked storage rejects', async () => {
  const refused = openSnapshotStore(undefined, '/', () => Promise.reject(new Error('blocked')));
  await expect(refused.read()).rejects.toThrow('blocked');
  await expect(refused.write(snapshot('a', 'memory'))).rejects.toThrow('blocked');
});
