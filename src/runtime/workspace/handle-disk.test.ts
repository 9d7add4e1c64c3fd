import { expect, test } from 'vitest';
import type { FolderSource } from '../folder/source.ts';
import { handleDisk } from './handle-disk.ts';

/** A folder in which Chromium finds nothing by the name of a link, and follows it where it may create something. */
class FakeFolder {
  readonly children = new Map<string, FakeFolder | FakeFile>();
  readonly links = new Map<string, FakeFolder | FakeFile>();

  getDirectoryHandle(name: string, { create = false } = {}): Promise<FakeFolder> {
    return this.#open(name, create, FakeFolder);
  }

  getFileHandle(name: string, { create = false } = {}): Promise<FakeFile> {
    return this.#open(name, create, FakeFile);
  }

  removeEntry(name: string): Promise<void> {
    this.children.delete(name);
    this.links.delete(name);
    return Promise.resolve();
  }

  async #open<T extends FakeFolder | FakeFile>(
    name: string,
    create: boolean,
    Kind: new () => T,
  ): Promise<T> {
    await Promise.resolve();
    const found = this.children.get(name) ?? (create ? this.links.get(name) : undefined);
    if (found === undefined && !create) throw new DOMException('', 'NotFoundError');
    const child = found ?? new Kind();
    if (!(child instanceof Kind)) throw new DOMException('', 'TypeMismatchError');
    if (found === undefined) this.children.set(name, child);
    return child;
  }
}

class FakeFile {
  text = '';

  createWritable(): Promise<object> {
    return Promise.resolve({
      write: (bytes: Uint8Array) => {
        this.text = new TextDecoder().decode(bytes);
      },
      close: () => undefined,
      abort: () => Promise.resolve(),
    });
  }

  getFile(): Promise<File> {
    return Promise.resolve(new File([this.text], 'x'));
  }
}

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
  const target = new FakeFile();
  root.links.set('out.txt', target);
  const disk = diskOf(root);
  expect(await disk.read('out.txt').catch(() => null)).toBeNull();
  await expect(disk.write('out.txt', bytes)).rejects.toThrow('leads through a symbolic link');
  expect(target.text).toBe('');
  expect(root.links.has('out.txt')).toBe(true);
});
