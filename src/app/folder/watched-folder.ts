/** The open folder from its first reading on: watched, read again when it changes, and its tools kept in step. */

import { knownFiles, type RereadScope } from '../../folder/known-files.ts';
import { readFolder } from '../../folder/read.ts';
import type { FolderSource } from '../../folder/source.ts';
import { FolderWatch, type WatchDeps, type WatchState } from '../../folder/watch.ts';
import { LiveFolder, type LiveFolderDeps } from './live-folder.ts';
import type { ScannedFile } from '../../scan/scan.ts';
import { errorText, ToolError } from '../../spec/error.ts';
import type { FolderSnapshot } from '../../spec/folder.ts';
import type { Limits } from '../../spec/limits.ts';
import type { Problem } from '../../spec/problem.ts';
import type { FolderUpdate } from '../app.ts';

export interface WatchedFolderDeps extends LiveFolderDeps, Pick<WatchDeps, 'visible' | 'after'> {
  readonly source: FolderSource;
  readonly limits: Limits;
  onWatch(state: WatchState): void;
  onUpdate(update: FolderUpdate): void;
  /** Lets others wait for an update. */
  pending(work: Promise<void>): void;
}

/** How long a file that has lost its content, or is gone, may take to come back; milliseconds, and how often. */
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
  #last: Promise<number> = Promise.resolve(0);

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
      tell: (state) => {
        if (!this.#life.signal.aborted) deps.onWatch(state);
      },
      reread: (scope) => this.reread(scope),
    });
    void this.#watch.start();
  }

  /** The folder has been read and scanned. */
  begin(
    folder: FolderSnapshot,
    scanned: ReadonlyMap<string, ScannedFile>,
    problems: readonly Problem[],
  ): void {
    this.#live = new LiveFolder(folder, scanned, problems, this.#deps);
    this.#begin();
  }

  /** The folder has been scanned, so that it can be read again. */
  get isReady(): boolean {
    return this.#live !== null;
  }

  /**
   * Reads the folder again, as far as told, and takes what has changed; `every` tries broken files once more.
   * @returns milliseconds of reading, without waiting for others and without imports. Never rejects.
   */
  reread(scope: RereadScope): Promise<number> {
    const work = this.#last.then(async () => {
      await this.#begun;
      return this.#reread(scope);
    });
    this.#last = work.catch((thrown: unknown) => {
      if (!this.#life.signal.aborted) this.#live?.fail(notReread(thrown));
      return 0;
    });
    // Not while it waits for the first scan, which others wait for already.
    if (this.#live) this.#deps.pending(this.#last.then(() => undefined));
    return this.#last;
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
    const folder = await this.#settled(live.onDisk, scope);
    const took = this.#deps.now() - from;
    const update = await live.update(signal, folder, scope === 'every');
    if (update) this.#tell(update);
    return took;
  }

  #tell(update: FolderUpdate): void {
    if (!this.#life.signal.aborted) this.#deps.onUpdate(update);
  }

  /** Many programs empty or remove a file before they write it anew. */
  async #settled(before: FolderSnapshot, scope: RereadScope): Promise<FolderSnapshot> {
    const { source, limits } = this.#deps;
    const { signal } = this.#life;
    const had = before.files.filter(({ path, size }) => path.endsWith('.py') && size > 0);
    const read = (): Promise<FolderSnapshot> =>
      readFolder(signal, source, limits, () => undefined, knownFiles(before, scope));
    let folder = await read();
    for (let times = 0; times < settleTimes && lost(had, folder); times += 1) {
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
    hint:
      (thrown instanceof ToolError ? thrown.hint : undefined) ??
      'The tools were not changed. Press Refresh to try again.',
  };
}

function lost(had: readonly { readonly path: string }[], { files }: FolderSnapshot): boolean {
  const full = new Set(files.flatMap(({ path, size }) => (size > 0 ? [path] : [])));
  return had.some(({ path }) => !full.has(path));
}
