/** The files of the open folder, as interpreters are given them: those that start, and those that have older ones. */

import type { FolderChanges, FolderSnapshot } from '../spec/folder.ts';
import type { Limits } from '../spec/limits.ts';
import type { FolderPython, PristinePython } from './folder-python.ts';

interface Change {
  readonly folder: FolderSnapshot;
  readonly changes: FolderChanges;
}

export class FolderFiles {
  #folder: FolderSnapshot;
  readonly #limits: Limits;
  /** What has changed while files were being handed over. */
  readonly #missed = new Set<Change[]>();

  constructor(folder: FolderSnapshot, limits: Limits) {
    this.#folder = folder;
    this.#limits = limits;
  }

  /** The files as they are now. */
  get now(): FolderSnapshot {
    return this.#folder;
  }

  /** The files are these from now on. */
  change(folder: FolderSnapshot, changes: FolderChanges): void {
    this.#folder = folder;
    for (const missed of this.#missed) missed.push({ folder, changes });
  }

  /** Hands all of them over, those included that change meanwhile. @throws {ToolError} */
  async putInto(signal: AbortSignal, python: PristinePython): Promise<void> {
    const missed: Change[] = [];
    this.#missed.add(missed);
    try {
      await python.openFolder(signal, this.#folder, this.#limits);
      for (let next = missed.shift(); next; next = missed.shift())
        await python.updateFiles(signal, next.folder, next.changes, this.#limits);
    } finally {
      this.#missed.delete(missed);
    }
  }
}

/** @returns the files whose modules were dropped; null where the interpreter did not take it */
export async function updated(
  signal: AbortSignal,
  python: FolderPython,
  folder: FolderSnapshot,
  changes: FolderChanges,
  limits: Limits,
): Promise<ReadonlySet<string> | null> {
  try {
    return await python.updateFiles(signal, folder, changes, limits);
  } catch {
    return null;
  }
}
