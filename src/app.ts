/** The composition root: from an opened folder to tools that can be called. No DOM. */

import { InterpreterHolder } from './app-interpreters.ts';
import { StatusHolder } from './app-status.ts';
import type { App, InterpreterList, OpenFolder } from './app-types.ts';
import { CallPath } from './call/call-path.ts';
import type { CallLog } from './call/call-log.ts';
import type { Run } from './call/run.ts';
import { untilAborted } from './folder/until-aborted.ts';
import { folderName } from './folder/path-rules.ts';
import type { FolderSource } from './folder/source.ts';
import { createInterceptors } from './hooks/intercept.ts';
import { Registry } from './registry/registry.ts';
import type { Inspect } from './scan/scan.ts';
import { OpenSessions } from './session/open-sessions.ts';
import type { ToolCall } from './spec/call.ts';
import { errorText, ToolError } from './spec/error.ts';
import type { FolderSnapshot } from './spec/folder.ts';
import type { Limits } from './spec/limits.ts';
import type { ToolResult } from './spec/result.ts';

/** How long a call lasts before the status calls Python busy; milliseconds. */
const busyMs = 100;

/** Where the tools of one folder run. */
export interface FolderInterpreters extends InterpreterList {
  ready(): Promise<void>;
  inspect(...request: Parameters<Inspect>): ReturnType<Inspect>;
  run(...request: Parameters<Run>): ReturnType<Run>;
  /** The session is over: its calls end, and its state is gone. */
  endSession(id: string): void;
  /** Lets its calls end, then ends itself. */
  retire(): void;
  /** Ends its calls and itself. */
  dispose(): void;
}

export interface Hands {
  readonly openInterpreters: (folder: FolderSnapshot) => Promise<FolderInterpreters>;
  readonly log: CallLog;
  readonly limits: Limits;
  now(): number;
  /** Told of what foreign code throws. */
  report(thrown: unknown): void;
}

export class ClocheApp implements App {
  readonly registry: Registry;
  readonly calls: CallPath;
  readonly log: CallLog;
  readonly status: StatusHolder;
  readonly interpreters: InterpreterHolder;
  readonly sessions: OpenSessions;
  readonly interceptors = createInterceptors<ToolCall, ToolResult>();
  readonly #hands: Hands;
  #source: FolderSource | null = null;
  #snapshot: FolderSnapshot | null = null;
  #interpreters: FolderInterpreters | null = null;
  /** Ends the opening under way. */
  #opening = new AbortController();
  #settled: Promise<void> = Promise.resolve();
  #expecting = false;

  constructor(hands: Hands) {
    this.#hands = hands;
    const report = (thrown: unknown): void => {
      hands.report(thrown);
    };
    this.registry = new Registry(report);
    this.status = new StatusHolder(report);
    this.interpreters = new InterpreterHolder(report);
    this.sessions = new OpenSessions((id) => this.#interpreters?.endSession(id));
    this.log = hands.log;
    this.calls = new CallPath({
      lookup: (name) => this.registry.get(name),
      // All tools are selected, without a session and, for now, in one.
      selected: (sessionId) => sessionId === '' || this.sessions.has(sessionId),
      interceptors: this.interceptors,
      run: (signal, tool, call, watch) => this.#run(signal, tool, call, watch),
      log: (call, result, at) => {
        const folder = this.#snapshot?.name ?? '';
        hands.log.add({ id: call.id, at, call, result, folder, cut: false });
      },
      now: () => hands.now(),
      limits: hands.limits,
      report,
    });
    this.#watchPython();
  }

  get folder(): OpenFolder | null {
    return this.#source && this.#snapshot && { source: this.#source, snapshot: this.#snapshot };
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
    this.registry.clear();
    return this.#begin(source);
  }

  async refresh(): Promise<void> {
    if (this.#source && this.canRefresh) await this.#begin(this.#source);
  }

  close(): void {
    this.#forget();
    this.registry.clear();
    this.status.enter('none', { folder: null });
  }

  source(file: string): string | undefined {
    const found = this.#snapshot?.files.find(({ path }) => path === file);
    return found && new TextDecoder().decode(found.bytes);
  }

  dispose(): void {
    this.#forget();
  }

  #forget(): void {
    this.#opening.abort();
    this.calls.cancelAll();
    this.#interpreters?.dispose();
    this.#use(null);
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
    const { limits, openInterpreters } = this.#hands;
    const name = folderName(source.name);
    this.registry.begin(name);
    this.status.enter('reading', { folder: name });
    const { readFolder } = await import('./open-folder.ts');
    const snapshot = await readFolder(signal, source, limits, ({ files }) => {
      if (!signal.aborted) this.status.set({ done: files });
    });
    signal.throwIfAborted();
    const interpreters = await openInterpreters(snapshot);
    signal.throwIfAborted();
    // Running calls keep the code that they started with.
    this.#interpreters?.retire();
    this.#snapshot = snapshot;
    this.#use(interpreters);
    for (const problem of snapshot.problems) this.registry.fail(problem);
    this.status.enter('starting', { folder: snapshot.name });
    await untilAborted(signal, interpreters.ready());
    await this.#scan(signal, snapshot, interpreters);
  }

  #use(interpreters: FolderInterpreters | null): void {
    this.#interpreters = interpreters;
    this.interpreters.follow(interpreters);
  }

  async #scan(
    signal: AbortSignal,
    snapshot: FolderSnapshot,
    interpreters: FolderInterpreters,
  ): Promise<void> {
    const { scan, toolFiles } = await import('./open-folder.ts');
    const files = toolFiles(snapshot).map(({ path }) => path);
    this.registry.keepFiles(new Set(files));
    const [first = ''] = files;
    const folder = snapshot.name;
    this.status.enter('scanning', { folder, total: files.length, message: first });
    let done = 0;
    const inspect: Inspect = (...request) => interpreters.inspect(...request);
    const problems = await scan(signal, snapshot, inspect, (scanned) => {
      this.registry.replaceFile(scanned, this.#hands.now());
      done += 1;
      this.status.set({ done, message: files[done] ?? '' });
    });
    signal.throwIfAborted();
    for (const problem of problems) this.registry.fail(problem);
    this.registry.finish();
    this.status.enter('ready', { folder });
  }

  #fail(thrown: unknown): void {
    const message = errorText(thrown);
    const hint =
      (thrown instanceof ToolError ? thrown.hint : undefined) ?? 'Open the folder again.';
    const nowhere = { file: '', line: null, column: null, expected: '' };
    this.registry.fail({ severity: 'error', code: 'not-opened', message, hint, ...nowhere });
    this.registry.finish();
    this.status.enter('failed', { message, hint });
  }

  readonly #run: Run = async (signal, tool, call, watch) => {
    const interpreters = this.#interpreters;
    if (!interpreters) throw new ToolError('no-folder', 'No tools folder is open');
    return interpreters.run(signal, tool, call, watch);
  };

  /** Says that Python is busy where that lasts: most calls are over before anybody could read it. */
  #watchPython(): void {
    const busy = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tell = (): void => {
      const python = busy.size > 0 ? 'busy' : 'ready';
      const { python: told } = this.status.get();
      if (told !== python && (told === 'ready' || told === 'busy')) this.status.set({ python });
    };
    this.calls.observe((event) => {
      if (event.type === 'call-started') {
        busy.add(event.callId);
        timer ??= setTimeout(() => {
          timer = undefined;
          tell();
        }, busyMs);
      } else if (event.type === 'call-ended') {
        busy.delete(event.call.id);
        if (busy.size === 0 && this.status.get().python === 'busy') tell();
      }
    });
  }
}
