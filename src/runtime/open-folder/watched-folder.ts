/** Watches the open folder after its first scan, reads it again when it changes, and updates its tools. */

import { findKnownFiles, readNamed, type RereadScope } from '../folder/reread-folder.ts';
import { readFolder } from '../folder/read-folder.ts';
import type { FolderSource } from '../folder/source.ts';
import { FolderWatch, type WatchDeps, type WatchState } from '../folder/watch.ts';
import { LiveFolder, type LiveFolderDeps } from './live-folder.ts';
import type { ScannedFile } from '../scan/scan.ts';
import { errorText, ToolError, hintOf } from '../spec/error.ts';
import type { FolderSnapshot, Problem } from '../spec/folder.ts';
import type { Limits } from '../spec/limits.ts';
import type { SpecProposal } from '../spec/tool.ts';
import type { FolderUpdate } from './current-folder.ts';

export interface WatchedFolderDeps extends LiveFolderDeps, Pick<WatchDeps, 'visible' | 'after'> {
  readonly source: FolderSource;
  readonly limits: Limits;
  onWatch(state: WatchState): void;
  onUpdate(update: FolderUpdate): void;
  /** Called with the work of an update, so that others can wait for it. */
  pending(work: Promise<void>): void;
}

/**
 * Milliseconds between two readings, and the number of readings, for a removed or empty file to get its content back.
 */
const settleMs = 60;
const settleTimes = 3;

export class WatchedFolder {
  readonly #deps: WatchedFolderDeps;
  readonly #watch: FolderWatch;
  readonly #life = new AbortController();
  #live: LiveFolder | null = null;
  /** Resolves when the folder has been scanned. */
  readonly #begun: Promise<void>;
  #begin: () => void = () => undefined;
  /** The last work; each begins when the one before has ended. Resolves with the time of a reading, 0 for other work. */
  #last: Promise<number> = Promise.resolve(0);
  /** Aborts the check of a draft, which nothing must wait for. */
  #checking = new AbortController();

  constructor(deps: WatchedFolderDeps) {
    this.#deps = deps;
    this.#begun = new Promise((resolve) => {
      this.#begin = resolve;
    });
    this.#watch = new FolderWatch({
      source: deps.source,
      visible: deps.visible,
      after: (...request) => deps.after(...request),
      now: () => deps.now(),
      onState: (state) => {
        if (!this.#life.signal.aborted) deps.onWatch(state);
      },
      reread: (scope) => this.reread(scope),
      readEarly: (paths) => this.#readEarly(paths),
    });
    void this.#watch.start();
  }

  /** Starts to apply changes, after the first scan. */
  begin(
    folder: FolderSnapshot,
    scanned: ReadonlyMap<string, ScannedFile>,
    problems: readonly Problem[],
  ): void {
    this.#live = new LiveFolder(folder, scanned, problems, this.#deps);
    this.#begin();
  }

  /** Whether the folder has been scanned, so that it can be read again. */
  get isReady(): boolean {
    return this.#live !== null;
  }

  /**
   * Reads the folder again within `scope`, and applies what has changed. `every` also retries files with errors.
   * @returns milliseconds spent reading, without waiting and imports. Never rejects.
   */
  reread(scope: RereadScope): Promise<number> {
    const work = this.#follow(async () => {
      await this.#begun;
      return this.#reread(scope);
    });
    this.#last = work.catch((thrown: unknown) => {
      if (!this.#life.signal.aborted) this.#live?.fail(notReread(thrown));
      return 0;
    });
    // Callers already wait for the first scan itself.
    if (this.#live) this.#deps.pending(this.#last.then(() => undefined));
    return this.#last;
  }

  /** Reads only these files, and applies them if they are certainly complete. @returns whether it did; never rejects */
  #readEarly(paths: ReadonlySet<string>): Promise<boolean> {
    if (this.#live === null) return Promise.resolve(false);
    const work = this.#follow(async () => {
      const live = this.#live;
      const { signal } = this.#life;
      if (live === null) return false;
      const { source, limits } = this.#deps;
      const folder = await readNamed(signal, source, limits, live.onDisk, paths);
      if (folder === null) return false;
      const update = await live.updateIfSound(signal, folder);
      if (update === 'unfinished') return false;
      if (update !== null) this.#notify(update);
      return true;
    }).catch(() => false);
    this.#last = work.then(() => 0);
    this.#deps.pending(this.#last.then(() => undefined));
    return work;
  }

  /** Runs after the reading in progress, and ends the check of a draft. */
  #follow<T>(work: () => Promise<T>): Promise<T> {
    this.#checking.abort();
    return this.#last.then(work);
  }

  /**
   * Finds the problems of an unsaved version of a tool file, after the updates in progress.
   * @returns null if that was given up, because the folder changes or the version cannot be inspected
   */
  check(signal: AbortSignal, path: string, bytes: Uint8Array): Promise<readonly Problem[] | null> {
    this.#checking.abort();
    this.#checking = new AbortController();
    const stop = AbortSignal.any([signal, this.#checking.signal, this.#life.signal]);
    const work = this.#last.then(async () => {
      const live = this.#live;
      return live === null || stop.aborted ? null : live.check(stop, path, bytes);
    });
    const checked = work.catch(() => null);
    this.#last = checked.then(() => 0);
    return checked;
  }

  /**
   * Proposes specs for the functions of a version of a file, after the updates in progress.
   * @throws {ToolError} also if the folder is not scanned yet, or is closed meanwhile
   */
  propose(
    signal: AbortSignal,
    path: string,
    bytes: Uint8Array,
    names: readonly string[] | null,
  ): Promise<SpecProposal> {
    const stop = AbortSignal.any([signal, this.#life.signal]);
    const work = this.#follow(async () => {
      if (this.#live === null || stop.aborted) throw new ToolError('aborted', 'The folder changed');
      return this.#live.propose(stop, path, bytes, names);
    });
    this.#last = work.then(
      () => 0,
      () => 0,
    );
    return work;
  }

  dispose(): void {
    this.#watch.dispose();
    this.#life.abort();
  }

  async #reread(scope: RereadScope): Promise<number> {
    const live = this.#live;
    const { signal } = this.#life;
    if (live === null || signal.aborted) return 0;
    const from = this.#deps.now();
    const folder = await this.#readComplete(live.onDisk, scope);
    const took = this.#deps.now() - from;
    const update = await live.update(signal, folder, { retry: scope === 'every' });
    if (update) this.#notify(update);
    return took;
  }

  #notify(update: FolderUpdate): void {
    if (!this.#life.signal.aborted) this.#deps.onUpdate(update);
  }

  /** Reads the folder until its files are complete: many programs empty or remove a file before they write it. */
  async #readComplete(before: FolderSnapshot, scope: RereadScope): Promise<FolderSnapshot> {
    const { source, limits } = this.#deps;
    const { signal } = this.#life;
    const had = before.files.filter(({ path, size }) => path.endsWith('.py') && size > 0);
    const read = (): Promise<FolderSnapshot> =>
      readFolder(signal, source, limits, () => undefined, findKnownFiles(before, scope));
    let folder = await read();
    for (let times = 0; times < settleTimes && hasLostContent(had, folder); times += 1) {
      await this.#pause(settleMs);
      folder = await read();
    }
    return folder;
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#deps.after(ms, resolve);
    });
  }
}

function notReread(thrown: unknown): Problem {
  return {
    severity: 'error',
    code: 'not-reread',
    file: '',
    line: null,
    column: null,
    message: `Could not load the changes in the folder: ${errorText(thrown)}`,
    expected: 'a readable folder, and an interpreter that can inspect its files',
    hint: hintOf(thrown) ?? 'The tools were not changed. Press Refresh to try again.',
  };
}

function hasLostContent(
  had: readonly { readonly path: string }[],
  { files }: FolderSnapshot,
): boolean {
  const full = new Set(files.flatMap(({ path, size }) => (size > 0 ? [path] : [])));
  return had.some(({ path }) => !full.has(path));
}
