/** Emscripten's file system in memory, as far as the copy of a workspace needs it: no path is ever followed through a link. */

/** A node of MEMFS. */
export interface FsNode {
  name: string;
  mode: number;
  /** A file's own array, of either sign and at least as long as `usedBytes`; a folder's children by name. */
  contents: Uint8Array | Int8Array | Record<string, FsNode>;
  usedBytes: number;
  mtime: number;
  ctime: number;
  /** Another file system lies over it. */
  mounted?: unknown;
}

/** What is called of `pyodide.FS`. */
export interface EmscriptenFs {
  readonly root: FsNode;
  isFile(mode: number): boolean;
  isDir(mode: number): boolean;
  isLink(mode: number): boolean;
  mkdir(path: string): unknown;
  rmdir(path: string): void;
  unlink(path: string): void;
  writeFile(path: string, bytes: Uint8Array, options: { canOwn: boolean }): void;
  utime(path: string, atime: number, mtime: number): void;
}

/** By what a file is known to be as it was. */
export interface Stamp {
  readonly node: FsNode;
  readonly contents: FsNode['contents'];
  readonly bytes: number;
  readonly ctime: number;
}

const everybody = 0o777;

/**
 * Marks a file as it is now. The time of change is a whole number wherever something is written, and no system call
 * sets it: a broken one stays until then, also within one millisecond. Cutting a file short leaves the time as it was, but
 * gives it another array.
 */
export function stampOf(node: FsNode): Stamp {
  node.ctime = Math.floor(node.ctime) + 0.5;
  return { node, contents: node.contents, bytes: node.usedBytes, ctime: node.ctime };
}

export function unchanged(stamp: Stamp | undefined, node: FsNode): boolean {
  return (
    stamp?.node === node &&
    stamp.contents === node.contents &&
    stamp.bytes === node.usedBytes &&
    stamp.ctime === node.ctime
  );
}

/** Empty for what lies at the top. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

export class CopyFs {
  readonly #fs: EmscriptenFs;

  constructor(fs: EmscriptenFs) {
    this.#fs = fs;
  }

  kindOf(node: FsNode): 'file' | 'folder' | 'link' | 'special' {
    if (node.mounted !== undefined && node.mounted !== null) return 'special';
    if (this.#fs.isFile(node.mode)) return 'file';
    if (this.#fs.isLink(node.mode)) return 'link';
    return this.#fs.isDir(node.mode) ? 'folder' : 'special';
  }

  childrenOf(folder: FsNode): [string, FsNode][] {
    return isBytes(folder.contents) ? [] : Object.entries(folder.contents);
  }

  bytesOf(file: FsNode): Uint8Array {
    const { contents, usedBytes } = file;
    if (!isBytes(contents)) return new Uint8Array();
    return new Uint8Array(contents.buffer, contents.byteOffset, usedBytes);
  }

  /** Null where it is not there, or is no folder of its own. */
  folderAt(path: string): FsNode | null {
    const node = this.#nodeAt(path);
    return node !== null && this.kindOf(node) === 'folder' ? node : null;
  }

  /** Makes a folder and those around it, in place of whatever tools have put there. */
  makeFolder(path: string): void {
    const above = folderOf(path);
    if (above !== '') this.makeFolder(above);
    const node = this.#nodeAt(path);
    if (node !== null && this.kindOf(node) === 'folder') {
      node.mode |= everybody;
      return;
    }
    this.removeTree(path);
    this.#fs.mkdir(path);
  }

  /** Its folder has to be there. */
  writeFile(path: string, bytes: Uint8Array, modifiedAt: number): Stamp {
    this.removeTree(path);
    this.#fs.writeFile(path, bytes, { canOwn: true });
    this.#fs.utime(path, modifiedAt, modifiedAt);
    const node = this.#nodeAt(path);
    if (node === null) throw new Error(`${path} could not be written`);
    return stampOf(node);
  }

  removeTree(path: string): void {
    const node = this.#nodeAt(path);
    if (node === null) return;
    if (this.kindOf(node) !== 'folder') {
      this.#fs.unlink(path);
      return;
    }
    node.mode |= everybody;
    for (const [name] of this.childrenOf(node)) this.removeTree(`${path}/${name}`);
    this.#fs.rmdir(path);
  }

  /** @returns whether it is gone now */
  removeEmptyFolder(path: string): boolean {
    const node = this.folderAt(path);
    if (node === null) return true;
    if (this.childrenOf(node).length > 0) return false;
    this.#fs.rmdir(path);
    return true;
  }

  /** Through folders alone. */
  #nodeAt(path: string): FsNode | null {
    let node = this.#fs.root;
    for (const name of path.split('/').slice(1)) {
      const inside = this.kindOf(node) === 'folder' ? node.contents : null;
      if (inside === null || isBytes(inside) || !Object.hasOwn(inside, name)) return null;
      const next = inside[name];
      if (next === undefined) return null;
      node = next;
    }
    return node;
  }
}

function isBytes(contents: FsNode['contents']): contents is Uint8Array | Int8Array {
  return ArrayBuffer.isView(contents);
}
