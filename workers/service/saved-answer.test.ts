import 'fake-indexeddb/auto';
import { expect, test, afterEach } from 'vitest';
import { savedAnswer, readSavedListing } from './saved-answer.ts';
import { deleteDB, openDB } from 'idb';

const listing = {
  id: 'latest',
  body: JSON.stringify({
    state: 'ready',
    folder: 'counting',
    folderId: 'f1',
    tools: [{ name: 'a:b/ü', n: 1 }, null, { name: 'c:d' }],
  }),
  etag: '"ready.1"',
} as const;

async function ask(
  path: string,
  init: RequestInit = {},
  saved: typeof listing | undefined = listing,
  folder: string | null = null,
  query = '',
): Promise<unknown> {
  const request = new Request('https://cloche.test/', init);
  const deps = { address: 'https://cloche.test/', savedListing: () => Promise.resolve(saved) };
  const response = await savedAnswer(
    request,
    path,
    new URLSearchParams(folder === null ? query : { folder }),
    deps,
  );
  if (response === undefined) return undefined;
  const text = await response.text();
  return [response.status, response.headers.get('ETag'), text === '' ? '' : JSON.parse(text)];
}

test('the listing and each of its tools are answered', async () => {
  expect(await ask('tools')).toEqual([200, '"ready.1"', JSON.parse(listing.body)]);
  expect(await ask('tools/c:d')).toEqual([200, '"ready.1"', { name: 'c:d' }]);
  expect(await ask('tools/a%3Ab%2F%C3%BC')).toEqual([200, '"ready.1"', { name: 'a:b/ü', n: 1 }]);
});

test('a folder by id or name is answered if it is the saved one', async () => {
  for (const folder of ['f1', 'counting'])
    expect(await ask('tools/c:d', {}, listing, folder)).toEqual(await ask('tools/c:d'));
  expect(await ask('tools', {}, listing, 'f2')).toBeUndefined();
});

test('a page of another origin gets nothing, since only a page knows what it may see', async () => {
  const init = { headers: { 'Cloche-Origin': 'https://docs.example' } };
  for (const path of ['tools', 'tools/c:d', 'folders'])
    expect([await ask(path, init), typeof (await ask(path))]).toEqual([undefined, 'object']);
});

test('HEAD and a matching If-None-Match get no body', async () => {
  expect(await ask('tools', { method: 'HEAD' })).toEqual([200, '"ready.1"', '']);
  expect(await ask('tools', { headers: { 'If-None-Match': '"ready.1"' } })).toEqual([
    304,
    '"ready.1"',
    '',
  ]);
});

test('an unknown tool gets 404', async () => {
  expect(await ask('tools/none')).toMatchObject([404, null, { code: 'unknown-tool' }]);
  expect(await ask('tools/%')).toMatchObject([404, null, { code: 'not-found' }]);
});

test('the listing is empty if none was saved', async () => {
  const request = new Request('https://cloche.test/');
  const deps = { address: '', savedListing: () => Promise.resolve(undefined) };
  const response = await savedAnswer(request, 'tools', new URLSearchParams(), deps);
  expect(await response?.json()).toEqual({
    state: 'none',
    folder: null,
    folderId: '',
    revision: '',
    tools: [],
    problems: [],
  });
  expect((await savedAnswer(request, 'tools/a:b', new URLSearchParams(), deps))?.status).toBe(404);
});

test('calls are not answered without a page', async () => {
  expect(await ask('tools/c:d/invoke', { method: 'POST' })).toBeUndefined();
  expect(await ask('calls/1')).toBeUndefined();
});

test('invalid routes are rejected without a page', async () => {
  for (const path of ['tools/', '', 'nothing'])
    expect(await ask(path), path).toMatchObject([404, null, { code: 'not-found' }]);
  expect(await ask('tools', { method: 'POST' })).toMatchObject([405, null, {}]);
  expect(await ask('tools/c:d/invoke')).toMatchObject([405, null, {}]);
});

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

test('a stored listing is answered in the format of a provider', async () => {
  const one = { name: 'a:b', label: 'B', description: 'Does b.', parameters: { type: 'object' } };
  const stored = {
    ...listing,
    body: JSON.stringify({
      tools: [{ ...one, examples: [], returns: null, annotations: {} }, null, { ...one }],
    }),
  } as const;
  expect(await ask('tools', {}, stored, null, 'format=openai')).toEqual([
    200,
    '"ready.1.openai"',
    [
      {
        type: 'function',
        function: { name: 'a__b', description: 'Does b.', parameters: one.parameters },
      },
    ],
  ]);
  const unknown = await ask('tools', {}, stored, null, 'format=none');
  expect(unknown).toMatchObject([400, null, { code: 'bad-request' }]);
});
