import 'fake-indexeddb/auto';
import { expect, test } from 'vitest';
import { openCopyStore } from './copy-store.ts';
import { openDatabase } from './db.ts';

let count = 0;

function store(storage: Pick<StorageManager, 'getDirectory'> | undefined) {
  const path = `/copies-${String((count += 1))}/`;
  const database = openDatabase(path, () => undefined);
  return openCopyStore(storage, path, () => database);
}

const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const refusing = {
  getDirectory: () => Promise.reject(new DOMException('private window', 'SecurityError')),
};

const manifest = { version: 1, files: [], blocks: [] } as const;

test.each([
  ['no private file system', undefined],
  ['one that refuses its use', refusing],
])('with %s, copies are stored in the database', async (_, storage) => {
  const copies = store(storage);
  await copies.write('a', manifest, [bytes('x = '), bytes('1')]);
  await copies.write('b', manifest, []);
  expect(await copies.ids()).toEqual(['a', 'b']);
  const read = await copies.read('a');
  expect(read?.manifest).toEqual(manifest);
  expect(await read?.content.text()).toBe('x = 1');
  await copies.remove('a');
  expect([await copies.read('a'), await copies.ids()]).toEqual([null, ['b']]);
});

test('an unknown copy is null', async () => {
  expect(await store(undefined).read('nothing')).toBeNull();
});

test('a copy that an older version stored as a blob is read, and new ones are bytes', async () => {
  const path = '/copies-of-blobs/';
  const database = openDatabase(path, () => undefined);
  const copies = openCopyStore(undefined, path, () => database);
  await (await database).put('copies', { manifest, content: new Blob(['old']) }, 'old');
  await copies.write('new', manifest, [bytes('new')]);
  for (const id of ['old', 'new']) expect(await (await copies.read(id))?.content.text()).toBe(id);
  expect((await (await database).get('copies', 'new'))?.content).not.toBeInstanceOf(Blob);
});
