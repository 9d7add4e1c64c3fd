/** Which files are read again and which are not, and reading named files without listing the folder. */

import { expect, test } from 'vitest';
import { defaultLimits } from '../spec/limits.ts';
import { fakeFile, fakeFolder } from './folder.fixture.ts';
import { findKnownFiles, readNamed, widen, type RereadScope } from './reread-folder.ts';
import { readFolder } from './read-folder.ts';
import { fakeEntry, listSource } from './source.fixture.ts';
import type { FolderSource } from './source.ts';

const before = {
  id: '1',
  name: 'folder',
  files: [fakeFile('a.py', 'old', 1), fakeFile('b.py', 'old', 1), fakeFile('sub/c.py', 'old', 1)],
  folders: ['sub'],
  problems: [],
};

/** Reads a folder whose texts are all new; `times` are those on disk. @returns texts, opened paths, read paths */
async function reread(scope: RereadScope, times: Record<string, number>) {
  const opened: string[] = [];
  const read: string[] = [];
  const source = listSource(
    Object.entries(times).map(([path, lastModified]) => ({
      path,
      file() {
        opened.push(path);
        const file = new File(['new'], path, { lastModified });
        file.arrayBuffer = () => {
          read.push(path);
          return Promise.resolve(new TextEncoder().encode('new').buffer);
        };
        return Promise.resolve(file);
      },
    })),
  );
  const { signal } = new AbortController();
  const known = findKnownFiles(before, scope);
  const { files } = await readFolder(signal, source, defaultLimits, () => undefined, known);
  const texts = files.map(({ path, bytes }) => `${path}=${new TextDecoder().decode(bytes)}`);
  return { texts, opened, read };
}

const times = { 'a.py': 1, 'b.py': 2, 'sub/c.py': 1, 'd.py': 1 };

test('given paths are read, new ones too, and the others are not even opened', async () => {
  const { texts, opened } = await reread(new Set(['a.py', 'sub']), times);
  expect(texts).toEqual(['a.py=new', 'b.py=old', 'd.py=new', 'sub/c.py=new']);
  expect(opened).toEqual(['a.py', 'd.py', 'sub/c.py']);
});

test('with `changed`, files whose size or time differs are read', async () => {
  const { texts, read } = await reread('changed', times);
  expect(texts).toEqual(['a.py=old', 'b.py=new', 'd.py=new', 'sub/c.py=old']);
  expect(read).toEqual(['b.py', 'd.py']);
});

test('with `every`, every file is read', async () => {
  const { read } = await reread('every', times);
  expect(read.sort()).toEqual(['a.py', 'b.py', 'd.py', 'sub/c.py']);
});

test('removed files are removed', async () => {
  const { texts } = await reread(new Set(['b.py']), { 'a.py': 1 });
  expect(texts).toEqual(['a.py=old']);
});

test('two scopes combine into the wider one', () => {
  const a = new Set(['a.py']);
  expect(widen(null, a)).toBe(a);
  expect(widen(a, new Set(['b.py']))).toEqual(new Set(['a.py', 'b.py']));
  expect([widen(a, 'changed'), widen('changed', a), widen('changed', 'every')]).toEqual([
    'changed',
    'changed',
    'every',
  ]);
});

test('a file that was written again without a change keeps its bytes, so that later comparisons take no time', async () => {
  const content = 'x'.repeat(3 * 1024 * 1024);
  const known = {
    ...before,
    files: [fakeFile('same.txt', content, 1), fakeFile('b.txt', content)],
  };
  const other = `${content.slice(1)}y`;
  const source = listSource([
    fakeEntry('same.txt', () => new File([content], 'same.txt', { lastModified: 7 })),
    fakeEntry('b.txt', () => new File([other], 'b.txt', { lastModified: 7 })),
  ]);
  const { signal } = new AbortController();
  const { files } = await readFolder(
    signal,
    source,
    defaultLimits,
    () => undefined,
    findKnownFiles(known, 'changed'),
  );
  const [changed, same] = files;
  expect([same?.path, same?.modifiedAt]).toEqual(['same.txt', 7]);
  expect(same?.bytes).toBe(known.files[0]?.bytes);
  expect(new TextDecoder().decode(changed?.bytes)).toBe(other);
});

const readBefore = fakeFolder({ 'a.py': 'one', 'b.py': 'two', 'data/c.txt': 'three' });

function disk(files: Record<string, string | Error>): FolderSource & { opened: string[] } {
  const opened: string[] = [];
  const source = listSource([], {
    entries: () => {
      throw new Error('The folder was listed.');
    },
    open: (path) => {
      opened.push(path);
      return fakeEntry(path, () => files[path] ?? new Error('gone')).file();
    },
  });
  return { ...source, opened };
}

async function readOnly(
  files: Record<string, string | Error>,
  paths: string[],
  limits: Partial<typeof defaultLimits> = {},
): Promise<string[] | null> {
  const { signal } = new AbortController();
  const source = disk(files);
  const folder = await readNamed(
    signal,
    source,
    { ...defaultLimits, ...limits },
    readBefore,
    new Set(paths),
  );
  if (folder === null) return null;
  expect(source.opened).toEqual(paths);
  expect(folder.id).not.toBe(readBefore.id);
  const isKept = folder.files.filter((file) => readBefore.files.includes(file));
  expect(isKept.length).toBe(readBefore.files.length - paths.length);
  return folder.files.map(({ path, bytes }) => `${path} ${new TextDecoder().decode(bytes)}`);
}

test('only the named files are opened, and the folder is not listed', async () => {
  expect(await readOnly({ 'b.py': '2' }, ['b.py'])).toEqual([
    'a.py one',
    'b.py 2',
    'data/c.txt three',
  ]);
  const both = { 'a.py': '1', 'data/c.txt': '' };
  expect(await readOnly(both, ['a.py', 'data/c.txt'])).toEqual([
    'a.py 1',
    'b.py two',
    'data/c.txt ',
  ]);
});

test.each<[string, Record<string, string | Error>, string[], Partial<typeof defaultLimits>?]>([
  ['an unknown file', { 'n.py': 'new' }, ['n.py']],
  ['a file that is gone', {}, ['a.py']],
  ['an unreadable file', { 'a.py': new Error('locked') }, ['a.py']],
  ['a Python file that has become empty', { 'a.py': '' }, ['a.py']],
  ['a file beyond the limit', { 'a.py': 'long' }, ['a.py'], { fileBytes: 3 }],
  ['a folder beyond the limit', { 'a.py': 'long' }, ['a.py'], { folderBytes: 11 }],
])('%s needs the whole folder', async (_, files, paths, limits) => {
  expect(await readOnly(files, paths, limits)).toBe(null);
});

test('a source that cannot open single files is listed', async () => {
  const { signal } = new AbortController();
  const paths = new Set(['a.py']);
  expect(await readNamed(signal, listSource([]), defaultLimits, readBefore, paths)).toBe(null);
});
