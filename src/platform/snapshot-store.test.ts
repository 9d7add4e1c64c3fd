/** What is kept of a snapshot, and when it is none. */

import 'fake-indexeddb/auto';
import { beforeEach, expect, test } from 'vitest';
import { openDatabase, type Database } from './db.ts';
import { openSnapshotStore } from './snapshot-store.ts';
import type { MemorySnapshot, SnapshotStore } from '../spec/snapshot.ts';

let count = 0;
let database: Database;
let store: SnapshotStore;

beforeEach(async () => {
  const path = `/snapshots-${String((count += 1))}/`;
  database = await openDatabase(path, () => undefined);
  store = openSnapshotStore(undefined, path, () => Promise.resolve(database));
});

function snapshot(text: string): MemorySnapshot {
  return { content: new Blob([text]), sha256: `hash of ${text}` };
}

async function read(key: string): Promise<unknown> {
  const found = await store.read(key);
  return found && { text: await found.content.text(), sha256: found.sha256 };
}

test('gives back what was written, under its key alone', async () => {
  expect([await read('a'), await store.bytes()]).toEqual([null, 0]);
  await store.write('a', snapshot('memory'));
  expect(await read('a')).toEqual({ text: 'memory', sha256: 'hash of memory' });
  expect([await read('b'), await store.bytes()]).toEqual([null, 6]);
});

test('keeps one: the last', async () => {
  await store.write('a', snapshot('memory'));
  await store.write('b', snapshot('another'));
  expect([await read('a'), await store.bytes()]).toEqual([null, 7]);
  expect(await database.count('snapshots')).toBe(1);
});

test('gives nothing after it was cleared', async () => {
  await store.write('a', snapshot('memory'));
  await store.clear();
  expect([await read('a'), await store.bytes()]).toEqual([null, 0]);
});

test.each([
  ['cut off', { version: 1, key: 'a', bytes: 6, sha256: 'x' }, 'memor'],
  ['of a later form', { version: 2, key: 'a', bytes: 6, sha256: 'x' }, 'memory'],
  ['without a hash', { version: 1, key: 'a', bytes: 6 }, 'memory'],
  ['without a manifest', null, 'memory'],
])('takes what is %s for none', async (_, manifest, text) => {
  await database.put('snapshots', { manifest, content: new Blob([text]) }, 'python');
  expect(await store.read('a')).toBeNull();
});

test('passes on that storage is blocked', async () => {
  const refused = openSnapshotStore(undefined, '/', () => Promise.reject(new Error('blocked')));
  await expect(refused.read('a')).rejects.toThrow('blocked');
  await expect(refused.write('a', snapshot('memory'))).rejects.toThrow('blocked');
});
