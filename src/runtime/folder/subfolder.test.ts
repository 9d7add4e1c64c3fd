/** Opening a subfolder. */

import { expect, test } from 'vitest';
import { fakeEntry, fakeSource, listSource } from './source.fixture.ts';
import { readFolder } from './read-folder.ts';
import type { FolderSource } from './source.ts';
import { defaultLimits } from '../spec/limits.ts';
import { subfolderOf } from './subfolder.ts';

async function read(source: FolderSource, limits = defaultLimits): Promise<unknown> {
  const { signal } = new AbortController();
  const folder = await readFolder(signal, source, limits, () => undefined);
  return [
    folder.name,
    folder.files.map(({ path }) => path),
    folder.folders,
    folder.problems.map(({ code, file }) => `${code} ${file}`),
  ];
}

const files = {
  'README.md': '',
  'tools/a.py': '',
  'tools/data/x.txt': '',
  'tools/.git/config': '',
  'tools2/b.py': '',
  'other/tools/c.py': '',
};

test('a subfolder of a copy has its files only', async () => {
  const source = await subfolderOf(fakeSource(files, { kind: 'zip', copiedAt: 1 }), 'tools');
  expect(source).toMatchObject({ kind: 'zip', name: 'tools', rereadable: false });
  // The copy of the subfolder is stored separately.
  expect(source.copiedAt).toBeUndefined();
  expect(await read(source)).toEqual([
    'tools',
    ['a.py', 'data/x.txt'],
    ['data'],
    ['other-programs '],
  ]);
});

test('a subfolder of a subfolder, and of the samples', async () => {
  const source = await subfolderOf(fakeSource(files, { kind: 'samples' }), 'other/tools');
  expect([source.kind, await read(source)]).toEqual(['upload', ['tools', ['c.py'], [], []]]);
  expect(await read(await subfolderOf(await subfolderOf(source, 'x'), 'y'))).toEqual([
    'y',
    [],
    [],
    [],
  ]);
});

test('the limits count only what is in it', async () => {
  const source = fakeSource({ 'a.txt': '', 'b.txt': '', ...files });
  expect(
    await read(await subfolderOf(source, 'tools'), { ...defaultLimits, folderFiles: 2 }),
  ).toEqual(['tools', ['a.py', 'data/x.txt'], ['data'], ['other-programs ']]);
});

test('a subfolder that is stored decomposed', async () => {
  const source = listSource([fakeEntry('gro\u0308\u00dfe/a.py', () => '')]);
  expect(await read(await subfolderOf(source, 'gr\u00f6\u00dfe'))).toEqual([
    'gr\u00f6\u00dfe',
    ['a.py'],
    [],
    [],
  ]);
});
