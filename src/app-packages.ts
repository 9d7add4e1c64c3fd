/** The packages of whatever folder is open: got ready before its files are imported, and anew when what it declares changes. */

import type { Hands } from './app-hands.ts';
import type { StatusHolder } from './app-status.ts';
import type { FolderSource } from './folder/source.ts';
import { isToolFile } from './folder/path-rules.ts';
import { createObservers } from './hooks/observe.ts';
import type { FolderPackages } from './packages/folder-packages.ts';
import type { Inspect } from './scan/scan.ts';
import type { FolderSnapshot } from './spec/folder.ts';
import type { Problem } from './spec/problem.ts';
import type { Wheel } from './spec/wheel.ts';

const none: FolderPackages = { declares: false, installed: [], problems: [] };

export class PackageHolder {
  readonly #prepare: Hands['preparePackages'];
  readonly #status: StatusHolder;
  readonly #observers;
  #now: FolderPackages = none;
  #key = '';

  constructor(prepare: Hands['preparePackages'], status: StatusHolder, report: Hands['report']) {
    this.#prepare = prepare;
    this.#status = status;
    this.#observers = createObservers<FolderPackages>(report);
  }

  get(): FolderPackages {
    return this.#now;
  }

  /** @returns dispose */
  observe(listener: (packages: FolderPackages) => void): () => void {
    return this.#observers.observe(listener);
  }

  /** Gets ready what the folder declares. @throws the signal's reason */
  async prepare(
    signal: AbortSignal,
    folder: FolderSnapshot,
    source: FolderSource,
  ): Promise<readonly Wheel[]> {
    const { declaredPackages, preparePackages } = await import('./open-folder.ts');
    // Another folder may have been opened meanwhile, or none.
    signal.throwIfAborted();
    const declared = declaredPackages(folder);
    this.#key = declared?.key ?? '';
    if (declared === null) {
      this.#set(none);
      return [];
    }
    this.#status.enter('packages', { folder: folder.name });
    const parts = await this.#prepare(signal, folder, source, declared, (step) => {
      if (!signal.aborted) this.#status.set(step);
    });
    const prepared = await preparePackages(signal, folder, declared, parts);
    signal.throwIfAborted();
    parts.want(prepared.wanted);
    const { installed, problems, wheels } = prepared;
    this.#set({ declares: true, installed, problems });
    return wheels;
  }

  /** The files declare something else now than what is installed. */
  async haveChanged(folder: FolderSnapshot): Promise<boolean> {
    const { declaredPackages } = await import('./open-folder.ts');
    return (declaredPackages(folder)?.key ?? '') !== this.#key;
  }

  /** Trying again may come to something else. */
  get haveFailed(): boolean {
    return this.#now.problems.some(({ severity }) => severity === 'error');
  }

  /** Those of no tool file. */
  get folderProblems(): readonly Problem[] {
    return this.#now.problems.filter(({ file }) => !isToolFile(file));
  }

  clear(): void {
    this.#key = '';
    this.#set(none);
  }

  readonly inspect = async (
    files: Parameters<Inspect>[1],
    onReport: Parameters<Inspect>[2],
    inspect: (files: Parameters<Inspect>[1], onReport: Parameters<Inspect>[2]) => Promise<void>,
  ): Promise<void> => {
    const { inspectBeside } = await import('./open-folder.ts');
    await inspectBeside(this.#now.problems, files, onReport, inspect);
  };

  #set(packages: FolderPackages): void {
    this.#now = packages;
    this.#observers.emit(packages);
  }
}
