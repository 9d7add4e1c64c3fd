/** Files on disk whose names are stored decomposed, as macOS does. */

import { expect, test } from 'vitest';
import { FakeFile, FakeFolder } from './folder-handle.fixture.ts';
import { handleDisk } from '../workspace/handle-disk.ts';
import { handleSource } from './handle-source.ts';
import { subfolderOf } from './subfolder.ts';

const decomposed = 'gro\u0308\u00dfe';
const composed = 'gr\u00f6\u00dfe';

function opened() {
  const root = new FakeFolder();
  const folder = new FakeFolder(decomposed);
  const file = new FakeFile(`${decomposed}.py`, 'old');
  root.children.set(decomposed, folder);
  folder.children.set(file.name, file);
  const handle = root as unknown as FileSystemDirectoryHandle;
  const source = handleSource(handle);
  return { root, folder, file, source, disk: handleDisk(handle, source) };
}

const path = `${composed}/${composed}.py`;

test('a file is opened, read and written by its composed path, in place', async () => {
  const { root, folder, file, source, disk } = opened();
  expect(await source.open?.(path).then(({ size }) => size)).toBe(3);
  expect(new TextDecoder().decode((await disk.read(path))?.bytes)).toBe('old');
  await disk.write(path, new TextEncoder().encode('new'));
  expect([file.text, root.children.size, folder.children.size]).toEqual(['new', 1, 1]);
});

test('a file and its folder are removed by their composed paths', async () => {
  const { root, folder, disk } = opened();
  await disk.remove(path);
  expect(folder.children.size).toBe(0);
  await disk.removeFolder(composed);
  expect(root.children.size).toBe(0);
});

test('a new file goes into the folder that is there, and a file of the exact name comes first', async () => {
  const { root, folder, file, disk } = opened();
  await disk.write(`${composed}/new.txt`, new TextEncoder().encode('x'));
  expect([[...root.children.keys()], folder.children.size]).toEqual([[decomposed], 2]);
  folder.children.set(`${composed}.py`, new FakeFile(`${composed}.py`, 'old'));
  await disk.write(path, new TextEncoder().encode('new'));
  expect(file.text).toBe('old');
});

test('the folder is opened as a subfolder by its composed name', async () => {
  const { source, folder } = opened();
  expect((await subfolderOf(source, composed)).handle).toBe(folder);
});
