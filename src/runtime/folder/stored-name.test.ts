/** Files on disk whose names are stored decomposed, as macOS does. */

import { expect, test } from 'vitest';
import { handleDisk } from '../workspace/handle-disk.ts';
import { handleSource } from './handle-source.ts';
import { subfolderOf } from './subfolder.ts';

const decomposed = 'gro\u0308\u00dfe';
const composed = 'gr\u00f6\u00dfe';

/** A folder of a file system that distinguishes the two forms. */
class FakeFolder {
  readonly kind = 'directory';
  readonly children = new Map<string, FakeFolder | FakeFile>();

  readonly name: string;

  constructor(name = 'root') {
    this.name = name;
  }

  getDirectoryHandle(name: string, { create = false } = {}): Promise<FakeFolder> {
    return this.#child(name, create, () => new FakeFolder(name)) as Promise<FakeFolder>;
  }

  getFileHandle(name: string, { create = false } = {}): Promise<FakeFile> {
    return this.#child(name, create, () => new FakeFile(name)) as Promise<FakeFile>;
  }

  removeEntry(name: string): Promise<void> {
    if (!this.children.delete(name)) throw new DOMException('', 'NotFoundError');
    return Promise.resolve();
  }

  async *values(): AsyncGenerator<FakeFolder | FakeFile> {
    await Promise.resolve();
    yield* this.children.values();
  }

  async #child(
    name: string,
    create: boolean,
    make: () => FakeFolder | FakeFile,
  ): Promise<FakeFolder | FakeFile> {
    await Promise.resolve();
    const found = this.children.get(name);
    if (found !== undefined) return found;
    if (!create) throw new DOMException('', 'NotFoundError');
    const made = make();
    this.children.set(name, made);
    return made;
  }
}

class FakeFile {
  readonly kind = 'file';
  text = 'old';

  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

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
    return Promise.resolve(new File([this.text], this.name));
  }
}

function opened() {
  const root = new FakeFolder();
  const folder = new FakeFolder(decomposed);
  const file = new FakeFile(`${decomposed}.py`);
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
  folder.children.set(`${composed}.py`, new FakeFile(`${composed}.py`));
  await disk.write(path, new TextEncoder().encode('new'));
  expect(file.text).toBe('old');
});

test('the folder is opened as a subfolder by its composed name', async () => {
  const { source, folder } = opened();
  expect((await subfolderOf(source, composed)).handle).toBe(folder);
});
