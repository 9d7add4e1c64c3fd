/** Known folders: remembered, reopened, copied, replaced and removed. */

import { expect, test } from 'vitest';
import {
  contents,
  FakeBrowser,
  fakeSnapshot,
  files,
  names,
  onDisk,
  open,
  upload,
} from './known-folders.fixture.ts';
import { fakeSource } from './source.fixture.ts';

test('a folder on disk is reopened by its handle at the next visit', async () => {
  const browser = new FakeBrowser();
  await open(await browser.visit(), onDisk('weather'));
  const next = await browser.visit();
  const source = await next.reopen();
  expect([source?.name, source?.kind, next.state.waiting]).toEqual(['weather', 'directory', null]);
  await open(next, source!);
  expect([names(next), next.state.current, browser.copies.size]).toEqual([['weather'], 'id-1', 0]);
});

test('a folder opened by its id is current at once; the id of any other is unknown for a moment', async () => {
  const browser = new FakeBrowser();
  await open(await browser.visit(), onDisk('weather'));
  const next = await browser.visit();
  const source = await next.reopen();
  const remembering = next.remember(source!, fakeSnapshot(files));
  expect(next.state.current).toBe('id-1');
  await remembering;
  // Never the id of the previous folder.
  const other = next.remember(onDisk('other'), fakeSnapshot(files));
  expect(next.state.current).toBe(null);
  await other;
  expect(next.state.current).toBe('id-2');
});

test('a folder whose permission has ended waits for a click', async () => {
  const browser = new FakeBrowser();
  await open(await browser.visit(), onDisk('weather'));
  browser.readable = false;
  const next = await browser.visit();
  expect([await next.reopen(), next.state.waiting?.name, browser.asked]).toEqual([
    null,
    'weather',
    0,
  ]);
  const source = await next.open('id-1');
  expect([source.name, browser.asked]).toEqual(['weather', 1]);
  await open(next, source);
  expect(next.state.waiting).toBe(null);
});

test('a refused permission is reported, and loses nothing', async () => {
  const browser = new FakeBrowser();
  await open(await browser.visit(), onDisk('weather'));
  Object.assign(browser, { readable: false, answer: false });
  const next = await browser.visit();
  await expect(next.open('id-1')).rejects.toMatchObject({
    code: 'not-supported',
    message: 'The browser denied access to “weather”.',
  });
  expect(names(next)).toEqual(['weather']);
});

test('an upload is reopened from its copy, which has a date', async () => {
  const browser = new FakeBrowser();
  const first = await browser.visit();
  await open(first, upload());
  const at = first.state.folders[0]?.copy?.at;
  const next = await browser.visit();
  const source = await next.reopen();
  expect([source?.name, source?.kind, source?.rereadable, source?.copiedAt]).toEqual([
    'tools',
    'upload',
    false,
    at,
  ]);
  expect(await contents(source!)).toEqual([
    ['a.py', 1, 7],
    ['data/b.bin', 1_500_000, 7],
  ]);
  await open(next, source!);
  expect([next.state.copiedAt, next.state.folders[0]?.copy?.at, browser.copies.size]).toEqual([
    at,
    at,
    1,
  ]);
});

test('a folder chosen again replaces its copy', async () => {
  const browser = new FakeBrowser();
  const known = await browser.visit();
  await open(known, upload());
  const again = upload();
  known.replacesOpen(again);
  await open(known, again, { ...files, 'a.py': 'changed' });
  expect([names(known), known.state.current, [...browser.copies.keys()]]).toEqual([
    ['tools'],
    'id-1',
    ['id-3'],
  ]);
  expect((await contents(await known.open('id-1')))[0]).toEqual(['a.py', 7, 7]);
});

test('another folder chosen by mistake replaces nothing', async () => {
  const browser = new FakeBrowser();
  const known = await browser.visit();
  await open(known, upload('tools'));
  const other = upload('other');
  known.replacesOpen(other);
  await open(known, other, { ...files, 'a.py': 'other' });
  expect([names(known), browser.copies.size]).toEqual([['other', 'tools'], 2]);
});

test('the same files chosen twice are one folder; others with the same name are two', async () => {
  const browser = new FakeBrowser();
  const known = await browser.visit();
  await open(known, upload());
  await open(known, upload());
  expect([names(known), known.state.current, browser.copies.size, browser.lastId]).toEqual([
    ['tools'],
    'id-1',
    1,
    'id-1',
  ]);
  await open(known, upload(), { ...files, 'a.py': 'other' });
  expect([names(known), browser.copies.size]).toEqual([['tools', 'tools'], 2]);
});

test('the same folder on disk picked twice is one folder, and so are the samples', async () => {
  const browser = new FakeBrowser();
  const known = await browser.visit();
  await open(known, onDisk('a'));
  await open(known, onDisk('b'));
  await open(known, onDisk('a'));
  await open(known, fakeSource({}, { name: 'samples', kind: 'samples' }));
  await open(known, fakeSource({}, { name: 'samples', kind: 'samples' }));
  expect(names(known)).toEqual(['samples', 'a', 'b']);
  const source = await known.open(known.state.folders[0]?.id ?? '');
  expect(source.kind).toBe('samples');
});

test('a closed folder is known, but not reopened', async () => {
  const browser = new FakeBrowser();
  const known = await browser.visit();
  await open(known, onDisk('a'));
  known.closed();
  const next = await browser.visit();
  expect([await next.reopen(), names(next), known.state.current]).toEqual([null, ['a'], null]);
});

test('a folder is removed with its copy, also while it is open', async () => {
  const browser = new FakeBrowser();
  const known = await browser.visit();
  const source = upload();
  await open(known, source);
  await known.remove('id-1');
  await open(known, source);
  expect([names(known), browser.folders.size, browser.copies.size, browser.lastId]).toEqual([
    [],
    0,
    0,
    null,
  ]);
  await expect(known.open('id-1')).rejects.toMatchObject({ code: 'not-found' });
});

test('a folder removed while its copy was written leaves nothing behind', async () => {
  const browser = new FakeBrowser();
  const known = await browser.visit();
  const source = upload();
  await known.remember(source, fakeSnapshot(files));
  const keeping = known.storeCopy(source, fakeSnapshot(files));
  await known.remove('id-1');
  await keeping;
  expect([browser.folders.size, browser.copies.size]).toEqual([0, 0]);
});

test('without space for a copy, that is reported and the folder stays open', async () => {
  const browser = new FakeBrowser();
  browser.copiesFail = new DOMException('full', 'QuotaExceededError');
  const known = await browser.visit();
  await open(known, upload());
  expect(known.state.notice).toBe(
    'Could not store a copy of “tools”: the browser’s storage is full. It stays open here. On your next visit, choose it again.',
  );
  known.dismissNotice();
  expect([known.state.notice, names(known)]).toEqual([null, ['tools']]);
  const next = await browser.visit();
  await expect(next.reopen()).rejects.toMatchObject({
    message: 'This browser has no complete copy of “tools”.',
    hint: 'Choose the folder or zip file again.',
  });
});

test('without storage, folders are known for this visit', async () => {
  const browser = new FakeBrowser();
  browser.storeFails = new Error('no storage');
  const known = await browser.visit();
  await open(known, onDisk('a'));
  await open(known, onDisk('b'));
  expect(names(known)).toEqual(['b', 'a']);
});

test('an incomplete copy does not count, and is deleted', async () => {
  const browser = new FakeBrowser();
  const known = await browser.visit();
  await open(known, upload());
  const [[id, copy] = ['', null]] = browser.copies;
  browser.copies.set(id, { manifest: copy?.manifest, content: new Blob(['short']) });
  browser.copies.set('stray', { manifest: null, content: new Blob() });
  await expect(known.open('id-1')).rejects.toMatchObject({ code: 'not-found' });
  await open(known, upload('other'));
  expect([...browser.copies.keys()]).not.toContain('stray');
});

test('unknown copies stay if the list could not be read, because they may belong to it', async () => {
  const browser = new FakeBrowser();
  browser.copies.set('of-another-visit', { manifest: null, content: new Blob() });
  browser.storeFails = new Error('no storage');
  await open(await browser.visit(), upload());
  expect([...browser.copies.keys()]).toContain('of-another-visit');
});

test('damaged files of a copy are left out and reported', async () => {
  const browser = new FakeBrowser();
  const known = await browser.visit();
  await open(known, upload(), { 'a.py': 'a', 'data/b.bin': 'b' });
  const [[id, copy] = ['', null]] = browser.copies;
  browser.copies.set(id, { manifest: copy?.manifest, content: new Blob(['aX']) });
  expect(await contents(await known.open('id-1'))).toEqual([
    '“a.py” could not be read: its copy in this browser is damaged.',
    '“data/b.bin” could not be read: its copy in this browser is damaged.',
  ]);
});

test.each([
  null,
  'text',
  {},
  { version: 2, files: [] },
  { version: 1, files: 'x' },
  { version: 1, files: [null] },
  { version: 1, files: [{ path: 'a', bytes: -1, modifiedAt: 0 }], blocks: [] },
  { version: 1, files: [] },
])('a copy with the invalid manifest %j is ignored', async (manifest) => {
  const browser = new FakeBrowser();
  const known = await browser.visit();
  await open(known, upload());
  for (const id of browser.copies.keys()) browser.copies.set(id, { manifest, content: new Blob() });
  await expect(known.open('id-1')).rejects.toMatchObject({ code: 'not-found' });
});

test('the folder that was opened longest ago is removed when the list is full', async () => {
  const browser = new FakeBrowser();
  const known = await browser.visit();
  for (const name of ['a', 'b', 'c', 'd']) await open(known, upload(name), { ...files, name });
  expect([names(known), browser.folders.size, browser.copies.size]).toEqual([
    ['d', 'c', 'b'],
    3,
    3,
  ]);
});

test('a folder that crashes the page is not reopened automatically a third time', async () => {
  const browser = new FakeBrowser();
  await open(await browser.visit(), onDisk('a'));
  const reopened = [];
  for (let visit = 0; visit < 3; visit += 1) reopened.push(await (await browser.visit()).reopen());
  expect(reopened.map((source) => source?.name ?? null)).toEqual(['a', 'a', null]);
  const next = await browser.visit();
  next.openingEnded();
  expect((await next.reopen())?.name).toBe('a');
});

test('a folder of the user’s own is listed from its creation on, and reopened by its id', async () => {
  const browser = new FakeBrowser();
  const known = await browser.visit();
  const source = await known.create('shapes');
  expect([names(known), source.kind, browser.own.size]).toEqual([['shapes'], 'own', 1]);
  await open(known, source);
  expect(known.state.folders).toMatchObject([
    { name: 'shapes', kind: 'own', files: 2, handle: null },
  ]);
  const next = await browser.visit();
  expect(await next.reopen()).toMatchObject({ name: 'shapes', kind: 'own' });
});

test('a folder of the user’s own whose files cannot be deleted stays in the list', async () => {
  const browser = new FakeBrowser();
  const own = {
    open: (_id: string, name: string) => Promise.resolve(fakeSource({}, { name, kind: 'own' })),
    remove: () => Promise.reject(new Error('in use')),
  };
  const known = await browser.visit({ own });
  await open(known, await known.create('shapes'));
  const id = known.state.current ?? '';
  await expect(known.remove(id)).rejects.toThrow('in use');
  const next = await browser.visit({ own });
  expect([names(known), known.state.current, names(next)]).toEqual([['shapes'], id, ['shapes']]);
});

test('a folder of the user’s own is deleted only by the user', async () => {
  const browser = new FakeBrowser();
  const known = await browser.visit();
  const source = await known.create('shapes');
  await open(known, source);
  const id = browser.ids.get(source) ?? '';
  // The list has room for three.
  for (const name of ['a', 'b', 'c', 'd']) await open(known, onDisk(name));
  expect([names(known), browser.own]).toEqual([['d', 'c', 'b', 'shapes'], new Set([id])]);
  await known.remove(id);
  expect([names(known), browser.own.size]).toEqual([['d', 'c', 'b'], 0]);
});
