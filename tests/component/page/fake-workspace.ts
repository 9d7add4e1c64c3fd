/** An interpreter's copy of the workspace, without a file system: it can be updated, and lists what tools changed. */

import type { WorkspaceReport, WorkspaceRequest } from '../../../src/runtime/protocol/workspace.ts';

export class FakeWorkspace {
  /** The files that handlers read and write, by path. */
  readonly files = new Map<string, Uint8Array>();
  #copy = '';
  /** As the page knows it. */
  #known = new Map<string, Uint8Array>();

  exchange({ copy, written, removed, tell }: WorkspaceRequest): WorkspaceReport {
    if (copy !== this.#copy) this.files.clear();
    if (copy !== this.#copy) this.#known.clear();
    this.#copy = copy;
    for (const { path, bytes } of written) {
      this.files.set(path, bytes);
      this.#known.set(path, bytes);
    }
    for (const path of removed) {
      this.files.delete(path);
      this.#known.delete(path);
    }
    const nothing = { files: [], removed: [], folders: [], foldersGone: [], left: [], more: false };
    if (tell === 'nothing') return nothing;
    const changed = [...this.files].filter(([path, bytes]) => this.#known.get(path) !== bytes);
    const gone = [...this.#known.keys()].filter((path) => !this.files.has(path));
    this.#known = new Map(this.files);
    return {
      ...nothing,
      files: changed.map(([path, bytes]) => {
        const isWanted = tell === 'contents';
        return { path, modifiedAt: Date.now(), bytes: isWanted ? bytes : new Uint8Array() };
      }),
      removed: gone,
    };
  }
}
