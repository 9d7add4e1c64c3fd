/** The composition root: from an opened folder to tools that can be called. No DOM. */

import type { FolderInspector, FolderInterpreters, Hands } from './app-hands.ts';
import { InterpreterHolder } from './app-interpreters.ts';
import { logBegin } from './app-log.ts';
import type { OpenedPackages } from './app-packages.ts';
import { folderDispatch, noFolder } from './app-run.ts';
import { StatusHolder } from './app-status.ts';
import type { App, OpenFolder } from './app-types.ts';
import { CallPath } from './call/call-path.ts';
import type { CallLog } from './call/call-log.ts';
import { CallInterceptors } from './call/interceptors.ts';
import { wait } from './async/wait.ts';
import { folderName } from './folder/path-rules.ts';
import type { FolderSource } from './folder/source.ts';
import { createObservers } from './hooks/observe.ts';
import type { FolderUpdate } from './live-folder.ts';
import { noPackages } from './packages/folder-packages.ts';
import { Registry } from './registry/registry.ts';
import type { Inspect, ScannedFile } from './scan/scan.ts';
import { OpenSessions } from './session/open-sessions.ts';
import { openingFailed } from './opening-failed.ts';
import type { FolderSnapshot } from './spec/folder.ts';
import type { Problem } from './spec/problem.ts';
import type { WatchedFolder } from './watched-folder.ts';

export class ClocheApp implements App {
  readonly registry: Registry;
  readonly calls: CallPath;
  readonly log: CallLog;
  readonly status: StatusHolder;
  readonly interpreters: InterpreterHolder;
  readonly sessions: OpenSessions;
  readonly interceptors: CallInterceptors;
  readonly #hands: Hands;
  readonly #updates;
  #source: FolderSource | null = null;
  #snapshot: FolderSnapshot | null = null;
  #interpreters: FolderInterpreters | null = null;
  #inspector: FolderInspector | null = null;
  #packages: OpenedPackages | null = null;
  #watched: WatchedFolder | null = null;
  /** Ends the opening under way. */
  #opening = new AbortController();
  #settled: Promise<void> = Promise.resolve();
  #expecting = false;
  #opened = 0;

  constructor(hands: Hands) {
    this.#hands = hands;
    const report = (thrown: unknown): void => {
      hands.report(thrown);
    };
    const dispatch = folderDispatch(() => this.#interpreters);
    this.registry = new Registry(dispatch, report);
    this.interceptors = new CallInterceptors(hands.limits);
    this.#updates = createObservers<FolderUpdate>(report);
    this.status = new StatusHolder(report);
    this.interpreters = new InterpreterHolder(report);
    this.sessions = new OpenSessions((id) => this.#interpreters?.endSession(id));
    this.log = hands.log;
    this.calls = new CallPath({
      lookup: (name) => this.registry.lookup(name),
      selected: ({ caller, sessionId, tool }, { origin }) =>
        // A model is offered them; no selection lists them.
        origin === 'built-in' ? caller === 'model' : this.sessions.isSelected(sessionId, tool),
      interceptors: this.interceptors,
      approve: (...asked) => hands.approve(...asked),
      begin: (call, at) => logBegin(hands, this.folder, call, at),
      now: () => hands.now(),
      limits: hands.limits,
      report,
    });
  }

  get folder(): OpenFolder | null {
    const snapshot = this.#onDisk;
    return this.#source && snapshot && { source: this.#source, snapshot };
  }

  get canRefresh(): boolean {
    return this.#source?.rereadable === true;
  }

  /** Resolves when no opening or scan is under way. */
  async settled(): Promise<void> {
    let seen: Promise<void>;
    do {
      seen = this.#settled;
      await seen;
    } while (seen !== this.#settled);
  }

  /** It is being found out whether a folder is to be opened: until then calls wait, as they do for a scan. */
  get expecting(): boolean {
    return this.#expecting;
  }

  expect(decision: Promise<unknown>): void {
    const over = (): void => {
      this.#expecting = false;
    };
    this.#expecting = true;
    this.#settled = decision.then(over, over);
  }

  open(source: FolderSource): Promise<void> {
    this.#forget();
    this.#source = source;
    this.registry.closeFolder();
    const folderKey = this.#hands.folderId(source) ?? `unknown ${(this.#opened += 1)}`;
    this.status.set({ folderKey });
    return this.#begin(source);
  }

  async refresh(): Promise<void> {
    if (this.#source === null || !this.canRefresh) return;
    if (this.#watched?.onDisk && this.#packages?.haveFailed !== true)
      await this.#refresh(this.#watched);
    else await this.#begin(this.#source);
  }

  async reload(): Promise<void> {
    if (this.#source !== null) await this.#begin(this.#source);
  }

  observeUpdates(listener: (update: FolderUpdate) => void): () => void {
    return this.#updates.observe(listener);
  }

  close(): void {
    this.#forget();
    this.registry.closeFolder();
    this.status.enter('none', { folder: null, folderKey: '' });
  }

  source(file: string): string | undefined {
    const found = this.#onDisk?.files.find(({ path }) => path === file);
    return found && new TextDecoder().decode(found.bytes);
  }

  dispose(): void {
    this.#forget();
  }

  #forget(): void {
    this.#opening.abort();
    this.calls.cancelAll();
    this.#unwatch();
    this.#interpreters?.dispose();
    this.#use(null);
    this.#packages = null;
    this.status.set({ packages: noPackages });
    this.#snapshot = null;
    this.#source = null;
  }

  #begin(source: FolderSource): Promise<void> {
    this.#opening.abort();
    this.#opening = new AbortController();
    const { signal } = this.#opening;
    const work = this.#read(signal, source).catch((thrown: unknown) => {
      if (!signal.aborted) this.#fail(thrown);
    });
    this.#settled = work;
    return work;
  }

  async #read(signal: AbortSignal, source: FolderSource): Promise<void> {
    const { limits, openInterpreters, preparePackages } = this.#hands;
    const name = folderName(source.name);
    const before = source.rereadable ? null : this.#onDisk;
    this.registry.begin(name);
    this.status.enter('reading', { folder: name });
    const { getPackages, readFolder, WatchedFolder } = await import('./open-folder.ts');
    signal.throwIfAborted();
    this.#unwatch();
    const watched = new WatchedFolder(this.#watchParts(source));
    this.#watched = watched;
    const tell = ({ files }: { files: number }): void => {
      if (!signal.aborted) this.status.set({ done: files });
    };
    const snapshot = before ?? (await readFolder(signal, source, limits, tell));
    signal.throwIfAborted();
    this.#snapshot = snapshot;
    const got = await getPackages(signal, snapshot, source, preparePackages, this.status);
    const interpreters = await openInterpreters(snapshot, source, got.wheels);
    if (signal.aborted) interpreters.dispose();
    signal.throwIfAborted();
    // Running calls keep the code that they started with.
    this.#interpreters?.retire();
    this.#use(interpreters);
    this.#packages = got.opened;
    const ofFolder = [...snapshot.problems, ...got.opened.folderProblems];
    for (const problem of ofFolder) this.registry.fail(problem);
    this.status.enter('starting', { folder: snapshot.name });
    await wait(signal, interpreters.ready());
    const { files, problems } = await this.#scan(signal, snapshot, interpreters, got.opened);
    watched.begin(snapshot, files, [...ofFolder, ...problems]);
  }

  #use(interpreters: FolderInterpreters | null): void {
    this.#interpreters = interpreters;
    this.interpreters.follow(interpreters);
  }

  async #scan(
    signal: AbortSignal,
    snapshot: FolderSnapshot,
    interpreters: FolderInterpreters,
    packages: OpenedPackages,
  ): Promise<{ files: Map<string, ScannedFile>; problems: readonly Problem[] }> {
    const { scan, toolFiles } = await import('./open-folder.ts');
    signal.throwIfAborted();
    const files = toolFiles(snapshot).map(({ path }) => path);
    const scannedFiles = new Map<string, ScannedFile>();
    this.registry.keepFiles(new Set(files));
    const [first = ''] = files;
    const folder = snapshot.name;
    this.status.enter('scanning', { folder, total: files.length, message: first });
    let done = 0;
    const inspect: Inspect = (stop, all, onReport) =>
      packages.inspect(all, onReport, (...some) => interpreters.inspect(stop, ...some));
    const problems = await scan(signal, snapshot, inspect, (scanned) => {
      this.registry.replaceFile(scanned, this.#hands.now());
      scannedFiles.set(scanned.file, scanned);
      done += 1;
      this.status.set({ done, message: files[done] ?? '' });
    });
    signal.throwIfAborted();
    for (const problem of problems) this.registry.fail(problem);
    this.registry.finish();
    this.status.enter('ready', { folder });
    return { files: scannedFiles, problems };
  }

  #watchParts(source: FolderSource): ConstructorParameters<typeof WatchedFolder>[0] {
    const { limits, visible } = this.#hands;
    return {
      source,
      limits,
      visible,
      registry: this.registry,
      after: (...request) => this.#hands.after(...request),
      now: () => this.#hands.now(),
      problems: () => this.#packages?.folderProblems ?? [],
      inspect: async (signal, folder, files, onReport) => {
        this.#inspector ??= this.#interpreters?.openInspector() ?? null;
        const inspector = this.#inspector;
        if (inspector === null || this.#packages === null) throw noFolder();
        await this.#packages.inspect(files, onReport, (...some) =>
          inspector.inspect(signal, folder, ...some),
        );
      },
      apply: (...request) => this.#interpreters?.update(...request),
      onWatch: (watch) => {
        this.status.set({ watch });
      },
      onUpdate: (update) => {
        this.#updates.emit(update);
        // Other packages cannot be put in the place of those that are loaded.
        const folder = this.#onDisk;
        if (folder && this.#packages?.haveChanged(folder) === true) void this.#begin(source);
      },
      pending: (work) => {
        this.#settled = work;
      },
    };
  }

  /** The folder as it was read last. */
  get #onDisk(): FolderSnapshot | null {
    return this.#watched?.onDisk ?? this.#snapshot;
  }

  #unwatch(): void {
    this.#snapshot = this.#onDisk;
    this.#watched?.dispose();
    this.#watched = null;
    this.#inspector?.dispose();
    this.#inspector = null;
    this.status.set({ watch: { at: 'off' } });
  }

  async #refresh(watched: WatchedFolder): Promise<void> {
    const { folder } = this.status.get();
    this.status.enter('reading', { folder });
    await watched.reread('every');
    if (watched === this.#watched) this.status.enter('ready', { folder });
  }

  #fail(thrown: unknown): void {
    const problem = openingFailed(thrown);
    this.registry.fail(problem);
    this.registry.finish();
    this.status.enter('failed', { message: problem.message, hint: problem.hint });
  }
}
