/** A folder handle without a browser, whose file system tells apart composed and decomposed names. */

/** A symbolic link, as in Chromium: it is not found by its name, but is followed where something may be created. */
export class FakeFolder {
  readonly kind = 'directory';
  readonly children = new Map<string, FakeFolder | FakeFile>();
  readonly links = new Map<string, FakeFolder | FakeFile>();
  readonly name: string;

  constructor(name = 'root') {
    this.name = name;
  }

  getDirectoryHandle(name: string, { create = false } = {}): Promise<FakeFolder> {
    return this.#open(name, create, FakeFolder);
  }

  getFileHandle(name: string, { create = false } = {}): Promise<FakeFile> {
    return this.#open(name, create, FakeFile);
  }

  removeEntry(name: string): Promise<void> {
    const isThere = this.children.delete(name) || this.links.delete(name);
    return isThere
      ? Promise.resolve()
      : Promise.reject(new DOMException('No such entry', 'NotFoundError'));
  }

  async *values(): AsyncGenerator<FakeFolder | FakeFile> {
    await Promise.resolve();
    yield* this.children.values();
  }

  async #open<T extends FakeFolder | FakeFile>(
    name: string,
    create: boolean,
    Kind: new (name: string) => T,
  ): Promise<T> {
    await Promise.resolve();
    const found = this.children.get(name) ?? (create ? this.links.get(name) : undefined);
    if (found === undefined && !create) throw new DOMException('No such entry', 'NotFoundError');
    const child = found ?? new Kind(name);
    if (!(child instanceof Kind)) throw new DOMException('', 'TypeMismatchError');
    if (found === undefined) this.children.set(name, child);
    return child;
  }
}

export class FakeFile {
  readonly kind = 'file';
  readonly name: string;
  text: string;

  constructor(name: string, text = '') {
    this.name = name;
    this.text = text;
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
