/** Folders in IndexedDB, with the interface of the browser's private file system, for browsers without one. */

import type { Database, EntryKey, StoredEntry } from './db.ts';

type OpenDatabase = () => Promise<Database>;

/** Returns the folder with this id. An empty one need not be created. */
export function databaseFolder(database: OpenDatabase, id: string): FileSystemDirectoryHandle {
  return new StoredFolder(database, [id, '', '']);
}

/** Removes the folder with everything in it. */
export async function removeDatabaseFolder(database: Database, id: string): Promise<void> {
  await database.delete('files', keysBelow([id]));
}

/** All keys that begin with these parts: an array comes after every text. */
function keysBelow(parts: readonly string[]): IDBKeyRange {
  return IDBKeyRange.bound([...parts], [...parts, []]);
}

class StoredHandle {
  readonly name: string;
  protected readonly database: OpenDatabase;
  protected readonly key: EntryKey;

  constructor(database: OpenDatabase, key: EntryKey) {
    this.database = database;
    this.key = key;
    this.name = key[2];
  }

  isSameEntry(other: FileSystemHandle): Promise<boolean> {
    return Promise.resolve(
      other instanceof StoredHandle && JSON.stringify(other.key) === JSON.stringify(this.key),
    );
  }
}

class StoredFolder extends StoredHandle implements FileSystemDirectoryHandle {
  readonly kind = 'directory';

  /** The path of this folder, with a slash at its end; empty for the folder with the id. */
  get #path(): string {
    const [, above, name] = this.key;
    return name === '' ? '' : `${above}${name}/`;
  }

  async getDirectoryHandle(
    name: string,
    { create = false }: FileSystemGetDirectoryOptions = {},
  ): Promise<FileSystemDirectoryHandle> {
    const key = await this.#find(name, 'directory', create);
    return new StoredFolder(this.database, key);
  }

  async getFileHandle(
    name: string,
    { create = false }: FileSystemGetFileOptions = {},
  ): Promise<FileSystemFileHandle> {
    const key = await this.#find(name, 'file', create);
    return new StoredFile(this.database, key);
  }

  async removeEntry(
    name: string,
    { recursive = false }: FileSystemRemoveOptions = {},
  ): Promise<void> {
    const { store, done } = (await this.database()).transaction('files', 'readwrite');
    const key = this.#keyOf(name);
    const entry = await store.get(key);
    if (entry === undefined) throw new DOMException(`There is no “${name}”.`, 'NotFoundError');
    const [id] = this.key;
    const path = `${this.#path}${name}/`;
    if (entry.kind === 'directory') {
      if (!recursive && (await store.count(keysBelow([id, path]))) > 0)
        throw new DOMException(`“${name}” is not empty.`, 'InvalidModificationError');
      // The paths below it begin with its own: `0` is the character after the slash.
      await store.delete(IDBKeyRange.bound([id, path], [id, `${path.slice(0, -1)}0`], false, true));
    }
    await store.delete(key);
    await done;
  }

  resolve(): Promise<string[] | null> {
    return Promise.reject(new DOMException('Not needed here.', 'NotSupportedError'));
  }

  async *entries(): AsyncGenerator<[string, FileSystemDirectoryHandle | FileSystemFileHandle]> {
    for await (const child of this.values()) yield [child.name, child];
  }

  async *keys(): AsyncGenerator<string> {
    for await (const { name } of this.values()) yield name;
  }

  async *values(): AsyncGenerator<FileSystemDirectoryHandle | FileSystemFileHandle> {
    const { store } = (await this.database()).transaction('files');
    const children = keysBelow([this.key[0], this.#path]);
    const [keys, entries] = await Promise.all([store.getAllKeys(children), store.getAll(children)]);
    for (const [n, key] of keys.entries())
      if (entries[n]?.kind === 'file') yield new StoredFile(this.database, key);
      else yield new StoredFolder(this.database, key);
  }

  [Symbol.asyncIterator](): AsyncGenerator<
    [string, FileSystemDirectoryHandle | FileSystemFileHandle]
  > {
    return this.entries();
  }

  #keyOf(name: string): EntryKey {
    if (name === '' || name === '.' || name === '..' || name.includes('/'))
      throw new TypeError(`“${name}” is not a name.`);
    return [this.key[0], this.#path, name];
  }

  /** Finds an entry, or creates an empty one. */
  async #find(name: string, kind: StoredEntry['kind'], create: boolean): Promise<EntryKey> {
    const key = this.#keyOf(name);
    const { store, done } = (await this.database()).transaction(
      'files',
      create ? 'readwrite' : 'readonly',
    );
    const found = await store.get(key);
    if (found === undefined && !create)
      throw new DOMException(`There is no “${name}”.`, 'NotFoundError');
    if (found !== undefined && found.kind !== kind)
      throw new DOMException(`“${name}” is not a ${kind}.`, 'TypeMismatchError');
    if (found === undefined)
      await store.put?.(
        kind === 'file' ? { kind, content: new ArrayBuffer(), modifiedAt: Date.now() } : { kind },
        key,
      );
    await done;
    return key;
  }
}

class StoredFile extends StoredHandle implements FileSystemFileHandle {
  readonly kind = 'file';

  async getFile(): Promise<File> {
    const entry = await (await this.database()).get('files', this.key);
    if (entry?.kind !== 'file')
      throw new DOMException(`There is no “${this.name}”.`, 'NotFoundError');
    return new File([entry.content], this.name, { lastModified: entry.modifiedAt });
  }

  createWritable(): Promise<FileSystemWritableFileStream> {
    return Promise.resolve(
      new WholeFile(async (whole) => {
        // WebKit refuses blobs where nothing is kept after the visit.
        const content = await whole.arrayBuffer();
        const entry = { kind: 'file', content, modifiedAt: Date.now() } as const;
        await (await this.database()).put('files', entry, this.key);
      }),
    );
  }
}

/** Replaces the content of a file when it is closed. */
class WholeFile extends WritableStream<FileSystemWriteChunkType> {
  constructor(replace: (content: Blob) => Promise<void>) {
    const pieces: BlobPart[] = [];
    super({
      write: (piece) => {
        if (typeof piece === 'object' && 'type' in piece && !(piece instanceof Blob))
          throw new DOMException('Only whole files are written here.', 'NotSupportedError');
        pieces.push(piece);
      },
      close: () => replace(new Blob(pieces)),
    });
  }

  async write(piece: FileSystemWriteChunkType): Promise<void> {
    const writer = this.getWriter();
    try {
      await writer.write(piece);
    } finally {
      writer.releaseLock();
    }
  }

  seek(): Promise<void> {
    return Promise.reject(new DOMException('Only whole files are written.', 'NotSupportedError'));
  }

  truncate(): Promise<void> {
    return this.seek();
  }
}
