/** Reads and writes Emscripten's in-memory file system for the copy of a workspace, without ever following a link. */

/** A node of MEMFS. */
export interface FsNode {
  name: string;
  mode: number;
  /** The bytes of a file: an array of at least `usedBytes`; or the children of a folder by name. */
  contents: Uint8Array | Int8Array | Record<string, FsNode>;
  usedBytes: number;
  mtime: number;
  ctime: number;
  /** Set if another file system is mounted here. */
  mounted?: unknown;
  /** The operations of a folder, which all folders share. */
  node_ops?: FolderOps;
}

export interface FolderOps {
  /** Called if a folder has no child of this name. Throws. */
  lookup: (parent: FsNode, name: string) => FsNode;
  mknod: (parent: FsNode, name: string, mode: number, device: number) => FsNode;
  rename: (node: FsNode, folder: FsNode, name: string) => void;
  unlink: (parent: FsNode, name: string) => void;
  rmdir: (parent: FsNode, name: string) => void;
  symlink: (parent: FsNode, name: string, target: string) => FsNode;
}

/** The part of `pyodide.FS` that is used here. */
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

/** Identifies a state of a file, to detect changes. */
export interface Stamp {
  readonly node: FsNode;
  readonly contents: FsNode['contents'];
  readonly bytes: number;
  readonly ctime: number;
}

const allPermissions = 0o777;

/**
 * Marks a file's current state. Each write sets `ctime` to a whole number, and no system call can set it otherwise. So a
 * fractional `ctime` lasts until the next write, even within the same millisecond. Truncating a file leaves `ctime` as
 * it is, but gives the file another array.
 */
export function stampOf(node: FsNode): Stamp {
  node.ctime = Math.floor(node.ctime) + 0.5;
  return { node, contents: node.contents, bytes: node.usedBytes, ctime: node.ctime };
}

/** Returns whether the file is still in the state that the stamp marks. */
export function unchanged(stamp: Stamp | undefined, node: FsNode): boolean {
  return (
    stamp?.node === node &&
    stamp.contents === node.contents &&
    stamp.bytes === node.usedBytes &&
    stamp.ctime === node.ctime
  );
}

/** The folder that contains a path; empty at the top. */
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

  /** Null if there is no folder at this path itself, such as behind a link. */
  folderAt(path: string): FsNode | null {
    const node = this.#nodeAt(path);
    return node !== null && this.kindOf(node) === 'folder' ? node : null;
  }

  /** Creates a folder and its parents, and removes anything else at these paths. */
  makeFolder(path: string): void {
    const above = folderOf(path);
    if (above !== '') this.makeFolder(above);
    const node = this.#nodeAt(path);
    if (node !== null && this.kindOf(node) === 'folder') {
      node.mode |= allPermissions;
      return;
    }
    this.removeTree(path);
    this.#fs.mkdir(path);
  }

  /** Writes a file, whose folder must exist, and removes anything else at this path. `modifiedAt` is in milliseconds. */
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
    node.mode |= allPermissions;
    for (const [name] of this.childrenOf(node)) this.removeTree(`${path}/${name}`);
    this.#fs.rmdir(path);
  }

  /** Removes a folder if it is empty. @returns whether it no longer exists */
  removeEmptyFolder(path: string): boolean {
    const node = this.folderAt(path);
    if (node === null) return true;
    if (this.childrenOf(node).length > 0) return false;
    this.#fs.rmdir(path);
    return true;
  }

  /** The node at a path, reached through folders only; null if there is none. */
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
