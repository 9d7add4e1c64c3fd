import { sha256Of } from '../spec/bytes.ts';
import 'fake-indexeddb/auto';
import { expect, test } from 'vitest';
import { locked, sha256 } from '../packages/packages.fixture.ts';
import { openDatabase } from './db.ts';
import { openPackageStore, type KeptPackages, type Room } from './package-store.ts';

let count = 0;

function opened() {
  const path = `/packages-${String((count += 1))}/`;
  const database = openDatabase(path, () => undefined);
  return { store: openPackageStore(undefined, path, () => database), database };
}

const hash = sha256('wheel');
const address = 'https://index.example/simple/x/';

test('a wheel is stored by its hash', async () => {
  const { store } = opened();
  expect(await store.wheel(hash)).toBeNull();
  await store.keepWheel(hash, new Blob(['wheel']));
  await store.keepWheel(sha256('other one'), new Blob(['other one']));
  expect(await (await store.wheel(hash))?.text()).toBe('wheel');
  expect(await store.bytes()).toBe(14);
});

test('a changed wheel is ignored, and can be stored again', async () => {
  const { store, database } = opened();
  const content = new Blob(['tampered']);
  await (await database).put('wheels', { manifest: { version: 1 }, content }, hash);
  expect(await store.wheel(hash)).toBeNull();
  await store.keepWheel(hash, new Blob(['wheel']));
  expect(await (await store.wheel(hash))?.text()).toBe('wheel');
});

test('resolutions and listings with any names are stored separately', async () => {
  const { store } = opened();
  const lock = { version: 1, wheels: [locked('x-1.whl')], warnings: [], at: 1 } as const;
  const listing = { text: '{}', type: 'application/json' };
  await store.keepLock(address, lock);
  await store.keepListing(address, listing);
  await store.keepLock('other', lock);
  expect([await store.lock(address), await store.listing(address)]).toEqual([lock, listing]);
  expect([await store.lock('other'), await store.listing('other')]).toEqual([lock, undefined]);
});

test('clear deletes everything', async () => {
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

const day = 24 * 60 * 60_000;

/** Successive pages with little room for wheels. */
function visits() {
  const path = `/packages-${String((count += 1))}/`;
  const database = openDatabase(path, () => undefined);
  const clock = { at: 1_000 };
  const room: Room = { maxBytes: 10, unusedMs: 90 * day, now: () => clock.at };
  return {
    clock,
    database,
    visit: () => openPackageStore(undefined, path, () => database, room),
  };
}

const hashOf = (text: string): Promise<string> => sha256Of(new TextEncoder().encode(text));
const keep = async (store: KeptPackages, text: string): Promise<void> =>
  store.keepWheel(await hashOf(text), new Blob([text]));

async function kept(store: KeptPackages, texts: string[]): Promise<string[]> {
  const found: string[] = [];
  for (const text of texts) if ((await store.wheel(await hashOf(text))) !== null) found.push(text);
  return found;
}

test('the wheels that were unused for longest are deleted', async () => {
  const { clock, visit } = visits();
  for (const text of ['aaaa', 'bbbb']) {
    clock.at += 1;
    await keep(visit(), text);
  }
  clock.at += 1;
  expect(await kept(visit(), ['aaaa'])).toEqual(['aaaa']);
  clock.at += 1;
  const last = visit();
  await keep(last, 'cccc');
  expect([await kept(visit(), ['aaaa', 'bbbb', 'cccc']), await last.bytes()]).toEqual([
    ['aaaa', 'cccc'],
    8,
  ]);
});

test('wheels in use are not deleted, however large', async () => {
  const { clock, visit } = visits();
  const store = visit();
  await keep(store, 'old one');
  clock.at += 1;
  const other = visit();
  for (const text of ['aaaa', 'bbbb', 'cccc', 'dddd']) await keep(other, text);
  expect(await kept(other, ['old one', 'aaaa', 'bbbb', 'cccc', 'dddd'])).toEqual([
    'aaaa',
    'bbbb',
    'cccc',
    'dddd',
  ]);
});

test('wheels without a date are deleted last', async () => {
  const { clock, database, visit } = visits();
  await keep(visit(), 'dated');
  clock.at += 1;
  const content = new Blob(['older']);
  await (
    await database
  ).put('wheels', { manifest: { version: 1 }, content }, await hashOf('older'));
  await keep(visit(), 'new');
  expect(await kept(visit(), ['dated', 'older', 'new'])).toEqual(['older', 'new']);
});

test('a listing unused for 90 days is deleted when another one is stored', async () => {
  const { clock, database, visit } = visits();
  const listing = { text: '{}', type: '' };
  const at = (name: string): string => `https://index.example/simple/${name}/`;
  for (const name of ['old', 'used', 'same']) await visit().keepListing(at(name), listing);
  await (await database).put('packages', listing, `listing ${at('undated')}`);
  clock.at += 60 * day;
  await visit().listing(at('used'));
  await visit().keepListing(at('new'), listing);
  clock.at += 40 * day;
  const store = visit();
  await store.keepListing(at('same'), listing);
  const there = [];
  for (const name of ['old', 'used', 'same', 'undated', 'new'])
    if ((await store.listing(at(name))) !== undefined) there.push(name);
  expect(there).toEqual(['used', 'same', 'undated', 'new']);
  expect(await (await database).get('packages', `used listing ${at('old')}`)).toBeUndefined();
});

test('unavailable storage rejects', async () => {
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
