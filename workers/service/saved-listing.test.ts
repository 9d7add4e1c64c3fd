import 'fake-indexeddb/auto';
import { deleteDB, openDB } from 'idb';
import { afterEach, expect, test } from 'vitest';
import { readSavedListing } from './saved-answer.ts';

const name = 'cloche:/app/';
const record = { id: 'latest', body: '{}', etag: '"a"' };

afterEach(() => deleteDB(name));

async function save(value: unknown): Promise<void> {
  const database = await openDB(name, 3, {
    upgrade: (fresh) => void fresh.createObjectStore('listing', { keyPath: 'id' }),
  });
  await database.put('listing', value);
  database.close();
}

test('the record that the page has saved is returned', async () => {
  await save(record);
  expect(await readSavedListing('/app/')).toEqual(record);
  expect(await readSavedListing('/app/other/')).toBeUndefined();
});

test('an invalid record is ignored', async () => {
  await save({ id: 'latest', body: 1, etag: '"a"' });
  expect(await readSavedListing('/app/')).toBeUndefined();
});

test('reading does not create the database', async () => {
  expect(await readSavedListing('/app/')).toBeUndefined();
  expect((await indexedDB.databases()).map((database) => database.name)).not.toContain(name);
});

test('reading leaves no connection open that would block an upgrade', async () => {
  await save(record);
  await readSavedListing('/app/');
  let blocked = 0;
  const upgraded = await openDB(name, 4, { blocked: () => (blocked += 1) });
  upgraded.close();
  expect(blocked).toBe(0);
});

test('a database without the store is ignored', async () => {
  (await openDB(name, 1)).close();
  expect(await readSavedListing('/app/')).toBeUndefined();
});
