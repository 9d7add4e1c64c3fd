/** Private folders in IndexedDB: what a workspace does with them, and what the private file system does too. */

import 'fake-indexeddb/auto';
import { expect, test } from 'vitest';
import { handleSource } from '../folder/handle-source.ts';
import { handleDisk } from '../workspace/handle-disk.ts';
import { openDatabase } from './db.ts';
import { privateFolders } from './private-folders.ts';

const database = openDatabase('/private/', () => undefined);
const refusing = {
  getDirectory: () => Promise.reject(new DOMException('private window', 'SecurityError')),
};
const workspaces = privateFolders(undefined, '/private/', 'cloche-workspaces', () => database);
const own = privateFolders(refusing, '/private/', 'cloche-folders', () => database);

const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

async function paths(folder: FileSystemDirectoryHandle): Promise<string[]> {
  const walk = { enter: () => true, unlisted: (path: string) => expect.fail(path) };
  const found: string[] = [];
  for await (const { path } of handleSource(folder).entries(new AbortController().signal, walk))
    found.push(path);
  return found.sort();
}

test('a workspace is written, read, listed and emptied', async () => {
  const folder = await workspaces.open('a');
  const disk = handleDisk(folder, { ...handleSource(folder), name: 'a' });
  const written = await disk.write('notes/deep/one.txt', bytes('one'));
  await disk.write('notes/two.txt', bytes('two'));
  await disk.write('notes/two.txt', bytes('second'));
  await disk.write('notes0.txt', bytes(''));
  const read = await disk.read('notes/deep/one.txt');
  expect(read).toEqual({ ...written, bytes: bytes('one') });
  expect(new TextDecoder().decode((await disk.read('notes/two.txt'))?.bytes)).toBe('second');
  expect(await disk.read('notes/none.txt')).toBeNull();
  expect(await paths(folder)).toEqual(['notes/deep/one.txt', 'notes/two.txt', 'notes0.txt']);

  // A folder that is not empty stays.
  await disk.removeFolder('notes');
  await disk.remove('notes/two.txt');
  expect(await paths(folder)).toEqual(['notes/deep/one.txt', 'notes0.txt']);
  await folder.removeEntry('notes', { recursive: true });
  expect(await paths(folder)).toEqual(['notes0.txt']);
  await workspaces.remove('a');
  expect(await paths(await workspaces.open('a'))).toEqual([]);
});

test('folders with other ids, and of another kind, are other folders', async () => {
  for (const [folders, id] of [
    [workspaces, 'x'],
    [workspaces, 'x2'],
    [own, 'x'],
  ] as const) {
    const folder = await folders.open(id);
    await folder.getFileHandle('same', { create: true });
  }
  await workspaces.remove('x');
  expect(await paths(await workspaces.open('x'))).toEqual([]);
  expect(await paths(await workspaces.open('x2'))).toEqual(['same']);
  const kept = await own.open('x');
  expect(await paths(kept)).toEqual(['same']);
  expect(await kept.isSameEntry(await workspaces.open('x'))).toBe(false);
  expect(await kept.isSameEntry(await own.open('x'))).toBe(true);
});

test('missing entries and entries of another kind are refused as in the private file system', async () => {
  const folder = await own.open('refused');
  await folder.getFileHandle('file', { create: true });
  await expect(folder.getFileHandle('none')).rejects.toMatchObject({ name: 'NotFoundError' });
  await expect(folder.removeEntry('none')).rejects.toMatchObject({ name: 'NotFoundError' });
  await expect(folder.getDirectoryHandle('file')).rejects.toMatchObject({
    name: 'TypeMismatchError',
  });
  for (const name of ['', '.', '..', 'a/b'])
    await expect(folder.getFileHandle(name, { create: true })).rejects.toThrow(TypeError);
});

test('a file that is not closed keeps its content', async () => {
  const folder = await own.open('whole');
  const file = await folder.getFileHandle('file', { create: true });
  const first = await file.createWritable();
  await first.write('kept');
  await first.close();
  const second = await file.createWritable();
  await second.write('lost');
  await second.abort();
  expect(await (await file.getFile()).text()).toBe('kept');
});
