/**
 * Makes the in-memory file system find names in both Unicode forms: a tool can open “größe.txt” composed or, copied
 * from macOS, decomposed. Names that tools create are stored composed, like the names of the page.
 */

import { composeName } from '../../src/runtime/spec/composed-name.ts';
import type { FsNode } from './copy-fs.ts';

export class ComposedNames {
  #isExact = false;

  /** @param root of MEMFS, whose folders all share its operations */
  constructor({ node_ops: ops }: FsNode) {
    if (ops === undefined) return;
    const { lookup, mknod, rename, unlink, rmdir, symlink } = ops;
    ops.lookup = (parent, name) => this.#find(parent, name) ?? lookup(parent, name);
    ops.mknod = (parent, name, ...rest) => mknod(parent, this.#composed(name), ...rest);
    ops.symlink = (parent, name, target) => symlink(parent, this.#composed(name), target);
    ops.rename = (node, folder, name) => rename(node, folder, this.#stored(folder, name));
    ops.unlink = (parent, name) => unlink(parent, this.#stored(parent, name));
    ops.rmdir = (parent, name) => rmdir(parent, this.#stored(parent, name));
  }

  /** Calls a function with names unchanged: the page may have two files whose names differ only in form. */
  exactly<T>(work: () => T): T {
    this.#isExact = true;
    try {
      return work();
    } finally {
      this.#isExact = false;
    }
  }

  /** The child with the composed form of a name, if that is another form. */
  #find(parent: FsNode, name: string): FsNode | undefined {
    const composed = this.#composed(name);
    return composed === name ? undefined : childOf(parent, composed);
  }

  /** The name under which a child is stored, or will be. */
  #stored(parent: FsNode, name: string): string {
    return childOf(parent, name) === undefined ? this.#composed(name) : name;
  }

  /** The composed form of a name; the name itself while names are unchanged. */
  #composed(name: string): string {
    return this.#isExact ? name : composeName(name);
  }
}

function childOf({ contents }: FsNode, name: string): FsNode | undefined {
  return ArrayBuffer.isView(contents) || !Object.hasOwn(contents, name)
    ? undefined
    : contents[name];
}
