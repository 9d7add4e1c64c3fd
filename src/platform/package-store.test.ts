import 'fake-indexeddb/auto';
import { expect, test } from 'vitest';
import { locked, sha256 } from '../packages/packages.fixture.ts';
import { openDatabase } from './db.ts';
import { openPackageStore } from './package-store.ts';

let count = 0;

function opened() {
  const path = `/packages-${String((count += 1))}/`;
  const database = openDatabase(path, () => undefined);
  return { store: openPackageStore(undefined, path, () => database), database };
}

const hash = sha256('wheel');
const address = 'https://index.example/simple/x/';

test('a wheel is kept by its hash', async () => {
  const { store } = opened();
  expect(await store.wheel(hash)).toBeNull();
  await store.keepWheel(hash, new Blob(['wheel']));
  await store.keepWheel(sha256('other one'), new Blob(['other one']));
  expect(await (await store.wheel(hash))?.text()).toBe('wheel');
  expect(await store.bytes()).toBe(14);
});

test('one that is not what it was is none, and can be kept anew', async () => {
  const { store, database } = opened();
  const content = new Blob(['tampered']);
  await (await database).put('wheels', { manifest: { version: 1 }, content }, hash);
  expect(await store.wheel(hash)).toBeNull();
  await store.keepWheel(hash, new Blob(['wheel']));
  expect(await (await store.wheel(hash))?.text()).toBe('wheel');
});

test('locks and listings are kept apart, whatever they are called', async () => {
  const { store } = opened();
  const lock = { version: 1, wheels: [locked('x-1.whl')], warnings: [], at: 1 } as const;
  const listing = { text: '{}', type: 'application/json' };
  await store.keepLock(address, lock);
  await store.keepListing(address, listing);
  await store.keepLock('other', lock);
  expect([await store.lock(address), await store.listing(address)]).toEqual([lock, listing]);
  expect([await store.lock('other'), await store.listing('other')]).toEqual([lock, undefined]);
});

test('everything is dropped at once', async () => {
  const { store } = opened();
  await store.keepWheel(hash, new Blob(['wheel']));
  await store.keepListing(address, { text: '{}', type: '' });
  await store.clear();
  expect([await store.wheel(hash), await store.listing(address), await store.bytes()]).toEqual([
    null,
    undefined,
    0,
  ]);
});

test('storage that cannot be had rejects', async () => {
  const store = openPackageStore(undefined, '/none/', () => Promise.reject(new Error('blocked')));
  for (const asked of [
    store.wheel(hash),
    store.keepWheel(hash, new Blob([])),
    store.lock('x'),
    store.bytes(),
    store.clear(),
  ])
    await expect(asked).rejects.toThrow('blocked');
});
