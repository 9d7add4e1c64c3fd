/** Opens, refreshes, reloads and closes the tools folder: from files to callable tools. Uses no DOM. */

import { wait } from '../async/wait.ts';
import type { CallPath } from '../call/call-path.ts';
import { folderName } from '../folder/path-rules.ts';
import type { FolderSource } from '../folder/source.ts';
import type { WatchDeps } from '../folder/watch.ts';
import { createObservers } from '../hooks/observe.ts';
import type { Registry } from '../registry/registry.ts';
import type { Inspect, ScannedFile } from '../scan/scan.ts';
import { errorText, hintOf } from '../spec/error.ts';
import type { FolderSnapshot, Problem } from '../spec/folder.ts';
import type { SettingValues } from '../spec/setting.ts';
import type { Limits } from '../spec/limits.ts';
import type { SpecProposal } from '../spec/tool.ts';
import type { Wheel } from '../spec/wheel.ts';
import type { CurrentFolder, FolderUpdate, OpenFolder } from './current-folder.ts';
import {
  noFolder,
  type CurrentInterpreters,
  type FolderInspector,
  type FolderInterpreters,
} from './folder-interpreters.ts';
import type { OpenedPackages, PreparePackages } from './opened-packages.ts';
import { initialFolderStatus, type StatusHolder } from './status.ts';
import type { WatchedFolder } from './watched-folder.ts';

export interface FolderLoaderDeps extends Pick<WatchDeps, 'visible' | 'after' | 'now'> {
  readonly status: StatusHolder;
  readonly currentFolder: CurrentFolder;
  readonly interpreters: CurrentInterpreters;
  readonly registry: Registry;
  readonly calls: Pick<CallPath, 'cancelAll'>;
  readonly openInterpreters: (
    folder: FolderSnapshot,
    source: FolderSource,
    wheels: readonly Wheel[],
  ) => Promise<FolderInterpreters>;
  readonly preparePackages: PreparePackages;
  readonly limits: Limits;
  /** Receives errors thrown by listeners. */
  readonly report: (thrown: unknown) => void;
}

/** Opens and closes the tools folder, for the page. */
export type FolderControl = Pick<
  FolderLoader,
  | 'current'
  | 'canRefresh'
  | 'open'
  | 'refresh'
  | 'reload'
  | 'close'
  | 'source'
  | 'check'
  | 'propose'
  | 'setSettings'
  | 'observeUpdates'
>;

export class FolderLoader {
  readonly #deps: FolderLoaderDeps;
  readonly #updates;
  #source: FolderSource | null = null;
  #inspector: FolderInspector | null = null;
  #settings: SettingValues | null = null;
  /** Whether the inspector has other values of settings. */
  #hasOldInspector = false;
  #packages: OpenedPackages | null = null;
  #watched: WatchedFolder | null = null;
  /** Aborts the opening in progress. */
  #opening = new AbortController();
  #settled: Promise<void> = Promise.resolve();
  /** Whether the page is still deciding which folder it opens at first. */
  #expecting = false;
  /** Number of opened folders without an id, which gives each a key of its own. */
  #unknownFolders = 0;
  #failure: unknown = null;

  constructor(deps: FolderLoaderDeps) {
    this.#deps = deps;
    this.#updates = createObservers<FolderUpdate>((thrown) => {
      deps.report(thrown);
    });
  }

  /** Null while no folder is open, and until a folder has been read for the first time. */
  get current(): OpenFolder | null {
    return this.#deps.currentFolder.current;
  }

  /** The error that ended the last opening; null if it succeeded, or an opening is in progress. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Whether the folder can be read again from where it came from. */
  get canRefresh(): boolean {
    return this.#source?.rereadable === true;
  }

  /** Resolves when no opening or scan is in progress. */
  async settled(): Promise<void> {
    let seen: Promise<void>;
    do {
      seen = this.#settled;
      await seen;
    } while (seen !== this.#settled);
  }

  /** Whether a folder may be about to open. Until that is decided, calls wait as they do during a scan. */
  get expecting(): boolean {
    return this.#expecting;
  }

  /** @param decision settles when it is decided whether a folder is opened */
  expect(decision: Promise<unknown>): void {
    const endExpecting = (): void => {
      this.#expecting = false;
    };
    this.#expecting = true;
    this.#settled = decision.then(endExpecting, endExpecting);
  }

  /** Replaces the open folder. Never rejects: failures are in the status. */
  open(source: FolderSource): Promise<void> {
    this.#forget();
    this.#source = source;
    this.#deps.registry.closeFolder();
    const { currentFolder, status } = this.#deps;
    const folderKey = currentFolder.idOf(source) ?? `unknown ${(this.#unknownFolders += 1)}`;
    status.set({ folderKey });
    return this.#begin(source);
  }

  /** Reads the folder again and applies what has changed. */
  async refresh(): Promise<void> {
    if (this.#source === null || !this.canRefresh) return;
    const watched = this.#watched;
    if (watched?.isReady === true && this.#packages?.haveFailed !== true)
      await this.#refresh(watched);
    else await this.#begin(this.#source);
  }

  /** Reads files that the page has written, without waiting for the watch of the folder. */
  async reread(paths: ReadonlySet<string>): Promise<void> {
    const watched = this.#watched;
    const work = watched?.reread(paths);
    // During the first scan, the work would also wait for the other files.
    if (watched?.isReady === true) await work;
  }

  /**
   * Finds the problems of an unsaved version of a tool file, by the scan that a save makes. A save does not wait for it.
   * @returns null if the folder changes meanwhile, or the version cannot be inspected. Never rejects.
   */
  async check(
    signal: AbortSignal,
    path: string,
    bytes: Uint8Array,
  ): Promise<readonly Problem[] | null> {
    const watched = this.#watched;
    return watched?.isReady === true ? watched.check(signal, path, bytes) : null;
  }

  /** Replaces the values of all settings that files declare. They are forgotten when the folder is closed. */
  setSettings(settings: SettingValues): void {
    this.#settings = settings;
    this.#deps.interpreters.current?.setSettings(settings);
    this.#hasOldInspector = true;
  }

  /**
   * Proposes specs for the functions of a file, and writes them into its text. Nothing changes.
   * @param names ids of the tools to write; null: all
   * @throws {ToolError} if the sandbox fails, or the folder is closed or not scanned yet
   */
  async propose(
    signal: AbortSignal,
    path: string,
    bytes: Uint8Array,
    names: readonly string[] | null,
  ): Promise<SpecProposal> {
    const watched = this.#watched;
    if (watched?.isReady !== true) throw noFolder();
    return watched.propose(signal, path, bytes, names);
  }

  /** Opens the folder again, with new interpreters and packages. */
  async reload(): Promise<void> {
    if (this.#source !== null) await this.#begin(this.#source);
  }

  /** Calls the listener after changed files have been reloaded. @returns dispose */
  observeUpdates(listener: (update: FolderUpdate) => void): () => void {
    return this.#updates.observe(listener);
  }

  /** Closes the folder; its calls end as cancelled. */
  close(): void {
    this.#forget();
    this.#deps.registry.closeFolder();
    this.#deps.status.enter('none', { folder: null, folderKey: '' });
  }

  source(file: string): string | undefined {
    const found = this.current?.snapshot.files.find(({ path }) => path === file);
    return found && new TextDecoder().decode(found.bytes);
  }

  #forget(): void {
    const { calls, interpreters, status, currentFolder } = this.#deps;
    this.#opening.abort();
    calls.cancelAll();
    this.#unwatch();
    // @mutant the next folder ends the interpreters of the one before => removed
    interpreters.current?.dispose();
    interpreters.set(null);
    this.#packages = null;
    this.#settings = null;
    this.#source = null;
    currentFolder.set(null);
    status.set({ packages: initialFolderStatus.packages });
  }

  #begin(source: FolderSource): Promise<void> {
    this.#opening.abort();
    this.#opening = new AbortController();
    const { signal } = this.#opening;
    this.#failure = null;
    const work = this.#read(signal, source).catch((thrown: unknown) => {
      if (!signal.aborted) this.#fail(thrown);
    });
    this.#settled = work;
    return work;
  }

  async #read(signal: AbortSignal, source: FolderSource): Promise<void> {
    const { limits, status, registry, currentFolder, interpreters } = this.#deps;
    const name = folderName(source.name);
    const before = source.rereadable ? null : this.current;
    registry.begin(name);
    status.enter('reading', { folder: name });
    const { getPackages, readFolder, WatchedFolder } = await import('./opening.ts');
    signal.throwIfAborted();
    this.#unwatch();
    const watched = new WatchedFolder(this.#watchDeps(source));
    this.#watched = watched;
    const onProgress = ({ files }: { files: number }): void => {
      if (!signal.aborted) status.set({ done: files });
    };
    const snapshot = before?.snapshot ?? (await readFolder(signal, source, limits, onProgress));
    signal.throwIfAborted();
    currentFolder.set({ source, snapshot });
    const { opened, wheels } = await getPackages(signal, { source, snapshot }, status, {
      prepare: this.#deps.preparePackages,
      reload: () => this.reload(),
    });
    const next = await this.#deps.openInterpreters(snapshot, source, wheels);
    if (signal.aborted) next.dispose();
    signal.throwIfAborted();
    // Running calls continue with the code that they started with.
    // @mutant a folder that is loaded again gives up its interpreters => removed
    interpreters.current?.retire();
    if (this.#settings !== null) next.setSettings(this.#settings);
    interpreters.set(next);
    this.#packages = opened;
    const ofFolder = [...snapshot.problems, ...opened.folderProblems];
    for (const problem of ofFolder) registry.fail(problem);
    status.enter('starting', { folder: snapshot.name });
    await wait(signal, next.ready());
    const { files, problems } = await this.#scan(signal, snapshot, next, opened);
    watched.begin(snapshot, files, [...ofFolder, ...problems]);
  }

  async #scan(
    signal: AbortSignal,
    snapshot: FolderSnapshot,
    interpreters: FolderInterpreters,
    packages: OpenedPackages,
  ): Promise<{ files: Map<string, ScannedFile>; problems: readonly Problem[] }> {
    const { registry, status, now } = this.#deps;
    const { scan, toolFiles } = await import('./opening.ts');
    signal.throwIfAborted();
    const files = toolFiles(snapshot).map(({ path }) => path);
    const scannedFiles = new Map<string, ScannedFile>();
    registry.keepFiles(new Set(files));
    const [first = ''] = files;
    const folder = snapshot.name;
    status.enter('scanning', { folder, total: files.length, message: first });
    let done = 0;
    const inspect: Inspect = (stop, all, onReport) =>
      packages.inspect(all, onReport, (...some) => interpreters.inspect(stop, ...some));
    const problems = await scan(signal, snapshot, inspect, (scanned) => {
      registry.replaceFile(scanned, now());
      scannedFiles.set(scanned.file, scanned);
      done += 1;
      status.set({ done, message: files[done] ?? '' });
    });
    signal.throwIfAborted();
    for (const problem of problems) registry.fail(problem);
    registry.finish();
    status.enter('ready', { folder });
    return { files: scannedFiles, problems };
  }

  #watchDeps(source: FolderSource): ConstructorParameters<typeof WatchedFolder>[0] {
    const { limits, visible, after, now, registry, interpreters, currentFolder, status } =
      this.#deps;
    return {
      source,
      limits,
      visible,
      registry,
      after,
      now,
      problems: () => this.#packages?.folderProblems ?? [],
      inspect: async (signal, snapshot, files, onReport) => {
        const inspector = this.#openInspector();
        if (this.#packages === null) throw noFolder();
        await this.#packages.inspect(files, onReport, (...some) =>
          inspector.inspect(signal, snapshot, ...some),
        );
      },
      propose: async (...request) => this.#openInspector().propose(...request),
      apply: (...request) => interpreters.current?.update(...request),
      onRead: (snapshot) => {
        currentFolder.set({ source, snapshot });
      },
      onWatch: (watch) => {
        status.set({ watch });
      },
      onUpdate: (update) => {
        this.#updates.emit(update);
        // Packages that are already loaded cannot be replaced.
        const open = currentFolder.current;
        if (open && this.#packages?.haveChanged(open.snapshot) === true) void this.#begin(source);
      },
      pending: (work) => {
        this.#settled = work;
      },
    };
  }

  /** @throws {ToolError} */
  #openInspector(): FolderInspector {
    if (this.#hasOldInspector) {
      this.#inspector?.dispose();
      this.#inspector = null;
      this.#hasOldInspector = false;
    }
    this.#inspector ??= this.#deps.interpreters.current?.openInspector() ?? null;
    if (this.#inspector === null) throw noFolder();
    return this.#inspector;
  }

  #unwatch(): void {
    this.#watched?.dispose();
    this.#watched = null;
    this.#inspector?.dispose();
    this.#inspector = null;
    this.#deps.status.set({ watch: { at: 'off' } });
  }

  async #refresh(watched: WatchedFolder): Promise<void> {
    const { status } = this.#deps;
    const { folder } = status.get();
    status.enter('reading', { folder });
    await watched.reread('every');
    if (watched === this.#watched) status.enter('ready', { folder });
  }

  #fail(thrown: unknown): void {
    const { registry, status } = this.#deps;
    this.#failure = thrown;
    const problem = openingProblem(thrown);
    registry.fail(problem);
    registry.finish();
    status.enter('failed', { message: problem.message, hint: problem.hint });
  }
}

/** Turns the error of a failed opening into a problem. */
export function openingProblem(thrown: unknown): Problem {
  return {
    severity: 'error',
    code: 'not-opened',
    file: '',
    line: null,
    column: null,
    message: errorText(thrown),
    expected: '',
    hint: hintOf(thrown) ?? 'Open the folder again.',
  };
}
