/** The files of the open folder: as they are now, and as each interpreter has them. */

import { changedPaths, changesBetween } from '../folder/changes.ts';
import type { FolderChanges, FolderSnapshot } from '../spec/folder.ts';
import type { Limits } from '../spec/limits.ts';
import type { FolderPython, PristinePython } from './interpreter.ts';

/** The files between two changes. */
export interface FolderVersion {
  readonly folder: FolderSnapshot;
  /** Higher is newer. */
  readonly number: number;
}

const nothing: FolderVersion = {
  folder: { id: '', name: '', files: [], folders: [], problems: [] },
  number: 0,
};

export class FolderFiles {
  readonly #limits: Limits;
  #now: FolderVersion;
  readonly #versions = new WeakMap<FolderPython, FolderVersion>();

  constructor(folder: FolderSnapshot, limits: Limits) {
    this.#now = { folder, number: 1 };
    this.#limits = limits;
  }

  get now(): FolderVersion {
    return this.#now;
  }

  /** The files that an interpreter has. */
  of(python: FolderPython): FolderVersion {
    return this.#versions.get(python) ?? nothing;
  }

  /** The files are these from now on. */
  change(folder: FolderSnapshot, changes: FolderChanges): void {
    const { folder: before, number } = this.#now;
    this.#now = { folder: keepingFiles(before, folder, changes), number: number + 1 };
  }

  /** Hands all of them over, those included that change meanwhile. @throws {ToolError} */
  async putInto(signal: AbortSignal, python: PristinePython): Promise<void> {
    const first = this.#now;
    await python.openFolder(signal, first.folder, this.#limits);
    this.#versions.set(python, first);
    await this.keepUp(signal, python);
  }

  /** Hands over what has changed since, and what changes meanwhile. @throws {ToolError} */
  async keepUp(signal: AbortSignal, python: FolderPython): Promise<void> {
    while (this.of(python) !== this.#now) await this.bring(signal, python, this.#now);
  }

  /**
   * Hands over what has changed between what an interpreter has and this version; nothing where it has a newer one.
   * @returns the files whose modules were dropped
   * @throws {ToolError} and is of no use any more
   */
  async bring(
    signal: AbortSignal,
    python: FolderPython,
    to: FolderVersion,
  ): Promise<ReadonlySet<string>> {
    const had = this.of(python);
    if (had.number >= to.number) return new Set();
    const changes = changesBetween(had.folder, to.folder);
    const dropped = await python.updateFiles(signal, to.folder, changes, this.#limits);
    this.#versions.set(python, to);
    return dropped;
  }
}

/** Files that have not changed stay the same objects: they are told apart at a glance, and kept once. */
function keepingFiles(
  before: FolderSnapshot,
  after: FolderSnapshot,
  changes: FolderChanges,
): FolderSnapshot {
  const changed = changedPaths(changes);
  const known = new Map(before.files.map((file) => [file.path, file]));
  const files = after.files.map((file) =>
    changed.has(file.path) ? file : (known.get(file.path) ?? file),
  );
  return { ...after, files };
}
