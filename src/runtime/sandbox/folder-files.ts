/** The files of the open folder: the current version, and the version that each interpreter has. */

import {
  changesBetween,
  type FolderChanges,
  type FolderSnapshot,
  listChangedPaths,
} from '../spec/folder.ts';
import type { Limits } from '../spec/limits.ts';
import type { SettingValues } from '../spec/setting.ts';
import type { FolderPython, PristinePython } from './interpreter.ts';

/** The folder's files between two changes. */
export interface FolderVersion {
  readonly folder: FolderSnapshot;
  /** Values of the settings that its files declare. */
  readonly settings: SettingValues;
  /** Newer versions have higher numbers. */
  readonly number: number;
}

const nothing: FolderVersion = {
  folder: { id: '', name: '', files: [], folders: [], problems: [] },
  settings: {},
  number: 0,
};

export class FolderFiles {
  readonly #limits: Limits;
  #now: FolderVersion;
  readonly #versions = new WeakMap<FolderPython, FolderVersion>();

  constructor(folder: FolderSnapshot, limits: Limits) {
    this.#now = { folder, settings: nothing.settings, number: 1 };
    this.#limits = limits;
  }

  get now(): FolderVersion {
    return this.#now;
  }

  versionOf(python: FolderPython): FolderVersion {
    return this.#versions.get(python) ?? nothing;
  }

  /** Makes `folder` the current version. */
  change(folder: FolderSnapshot, changes: FolderChanges): void {
    const { folder: before, settings, number } = this.#now;
    const now = reuseUnchangedFiles(before, folder, changes);
    this.#now = { folder: now, settings, number: number + 1 };
  }

  setSettings(settings: SettingValues): void {
    const { folder, number } = this.#now;
    this.#now = { folder, settings, number: number + 1 };
  }

  /** Copies all files into the interpreter, including changes that happen meanwhile. @throws {ToolError} */
  async copyTo(signal: AbortSignal, python: PristinePython): Promise<void> {
    const first = this.#now;
    await python.openFolder(signal, first.folder, this.#limits);
    if (first.settings !== nothing.settings)
      await python.setSettings(signal, first.settings, this.#limits);
    this.#versions.set(python, first);
    await this.bringUpToDate(signal, python);
  }

  /**
   * Updates the interpreter until it has the current version, including changes that happen meanwhile.
   * @throws {ToolError}
   */
  async bringUpToDate(signal: AbortSignal, python: FolderPython): Promise<void> {
    while (this.versionOf(python) !== this.#now) await this.updateTo(signal, python, this.#now);
  }

  /**
   * Updates an interpreter to this version. Does nothing if it already has a newer one.
   * @returns the files whose modules were dropped
   * @throws {ToolError}; the interpreter must not be used afterwards
   */
  async updateTo(
    signal: AbortSignal,
    python: FolderPython,
    to: FolderVersion,
  ): Promise<ReadonlySet<string>> {
    const had = this.versionOf(python);
    if (had.number >= to.number) return new Set();
    const changes = changesBetween(had.folder, to.folder);
    const dropped = new Set(await python.updateFiles(signal, to.folder, changes, this.#limits));
    if (had.settings !== to.settings) {
      const files = await python.setSettings(signal, to.settings, this.#limits);
      for (const file of files) dropped.add(file);
    }
    this.#versions.set(python, to);
    return dropped;
  }
}

/** Reuses the objects of unchanged files, so that they compare by identity and are stored once. */
function reuseUnchangedFiles(
  before: FolderSnapshot,
  after: FolderSnapshot,
  changes: FolderChanges,
): FolderSnapshot {
  const changed = listChangedPaths(changes);
  const known = new Map(before.files.map((file) => [file.path, file]));
  const files = after.files.map((file) =>
    changed.has(file.path) ? file : (known.get(file.path) ?? file),
  );
  return { ...after, files };
}
