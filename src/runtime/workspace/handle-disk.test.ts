import { expect, test } from 'vitest';
import type { FolderSource } from '../folder/source.ts';
import { handleDisk } from './handle-disk.ts';
import { FakeFile, FakeFolder } from '../folder/folder-handle.fixture.ts';

const bytes = new TextEncoder().encode('new');
const diskOf = (root: FakeFolder) =>
  handleDisk(root as unknown as FileSystemDirectoryHandle, {} as FolderSource);

test('writes into folders that exist, and creates the others', async () => {
  const root = new FakeFolder();
  const disk = diskOf(root);
  await disk.write('a/b/c.txt', bytes);
  await disk.write('a/b/d.txt', bytes);
  await disk.makeFolder('a/e');
  const a = root.children.get('a') as FakeFolder;
  const b = a.children.get('b') as FakeFolder;
  expect([...b.children].map(([name, file]) => [name, (file as FakeFile).text])).toEqual([
    ['c.txt', 'new'],
    ['d.txt', 'new'],
  ]);
  expect(a.children.get('e')).toBeInstanceOf(FakeFolder);
});

test('writes through no symbolic link to a folder', async () => {
  const root = new FakeFolder();
  const outside = new FakeFolder();
  root.links.set('out', outside);
  const disk = diskOf(root);
  const refusal = 'leads through a symbolic link, which Cloche does not follow';
  await expect(disk.write('out/a.txt', bytes)).rejects.toThrow(refusal);
  await expect(disk.write('out/b/a.txt', bytes)).rejects.toThrow(refusal);
  await expect(disk.makeFolder('out/b')).rejects.toThrow(refusal);
  await disk.remove('out/a.txt');
  expect(outside.children.size).toBe(0);
});

test('writes through no symbolic link to a file, and leaves the link', async () => {
  const root = new FakeFolder();
  const target = new FakeFile('out.txt');
  root.links.set('out.txt', target);
  const disk = diskOf(root);
  expect(await disk.read('out.txt').catch(() => null)).toBeNull();
  await expect(disk.write('out.txt', bytes)).rejects.toThrow('leads through a symbolic link');
  expect(target.text).toBe('');
  expect(root.links.has('out.txt')).toBe(true);
});
