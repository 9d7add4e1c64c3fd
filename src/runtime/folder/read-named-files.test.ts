/** Reading named files of a folder that is known. */

import { expect, test } from 'vitest';
import { defaultLimits } from '../spec/limits.ts';
import { fakeFolder } from './folder.fixture.ts';
import { readNamed } from './read-named-files.ts';
import { fakeEntry, listSource } from './source.fixture.ts';
import type { FolderSource } from './source.ts';

const before = fakeFolder({ 'a.py': 'one', 'b.py': 'two', 'data/c.txt': 'three' });

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

async function read(
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
    before,
    new Set(paths),
  );
  if (folder === null) return null;
  expect(source.opened).toEqual(paths);
  expect(folder.id).not.toBe(before.id);
  const isKept = folder.files.filter((file) => before.files.includes(file));
  expect(isKept.length).toBe(before.files.length - paths.length);
  return folder.files.map(({ path, bytes }) => `${path} ${new TextDecoder().decode(bytes)}`);
}

test('only the named files are opened, and the folder is not listed', async () => {
  expect(await read({ 'b.py': '2' }, ['b.py'])).toEqual(['a.py one', 'b.py 2', 'data/c.txt three']);
  const both = { 'a.py': '1', 'data/c.txt': '' };
  expect(await read(both, ['a.py', 'data/c.txt'])).toEqual(['a.py 1', 'b.py two', 'data/c.txt ']);
});

test.each<[string, Record<string, string | Error>, string[], Partial<typeof defaultLimits>?]>([
  ['an unknown file', { 'n.py': 'new' }, ['n.py']],
  ['a file that is gone', {}, ['a.py']],
  ['an unreadable file', { 'a.py': new Error('locked') }, ['a.py']],
  ['a Python file that has become empty', { 'a.py': '' }, ['a.py']],
  ['a file beyond the limit', { 'a.py': 'long' }, ['a.py'], { fileBytes: 3 }],
  ['a folder beyond the limit', { 'a.py': 'long' }, ['a.py'], { folderBytes: 11 }],
])('%s needs the whole folder', async (_, files, paths, limits) => {
  expect(await read(files, paths, limits)).toBe(null);
});

test('a source that cannot open single files is listed', async () => {
  const { signal } = new AbortController();
  const paths = new Set(['a.py']);
  expect(await readNamed(signal, listSource([]), defaultLimits, before, paths)).toBe(null);
});
