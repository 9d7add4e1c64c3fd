/** The interpreters of an open folder: one per session, a warm spare, and helpers for stateless calls. */

import type { OpenHost } from '../protocol/ask.ts';
import type { Dispatch, Run, ToolCall } from '../spec/call.ts';
import { defer } from '../async/defer.ts';
import { Observable } from '../hooks/observe.ts';
import type { ToolError } from '../spec/error.ts';
import type { FolderChanges, FolderSnapshot } from '../spec/folder.ts';
import type { Inspection, RegisteredTool } from '../spec/tool.ts';
import type { InterpreterView } from '../spec/interpreter.ts';
import type { JsonText } from '../spec/json.ts';
import type { Limits } from '../spec/limits.ts';
import type { SettingValues } from '../spec/setting.ts';
import type { ToolResult } from '../spec/result.ts';
import { checkArguments } from './arguments-before-call.ts';
import { FolderFiles } from './folder-files.ts';
import type { FolderPython, PristinePython } from './interpreter.ts';
import { Helpers } from './helper-interpreters.ts';
import { inspectAll, Inspector, inspectSome, type Turns } from './inspector.ts';
import type { WorkJob } from './interpreter-slot.ts';
import { SessionQueue, StatelessTurns } from './session-queue.ts';
import { InterpreterAllocator, type Capacity, type ForSpare } from './interpreter-allocator.ts';

export interface PoolDeps {
  /**
   * Returns a started interpreter that has not run any tool code.
   * @param options.spare whether no caller is waiting for it
   * @throws {ToolError}
   */
  readonly take: (signal: AbortSignal, options: ForSpare) => Promise<PristinePython>;
  readonly capacity: Capacity;
  readonly limits: Limits;
  readonly openHost: OpenHost;
  /** Called once, after the first call of a tool has ended. */
  readonly onFirstResult: () => void;
  /** Reports errors thrown by listeners. */
  readonly report: (thrown: unknown) => void;
}

/**
 * Python does not wait for the page between the files of a turn, and calls can run between turns. So a turn has as many files
 * as Python inspects in a time that users do not notice.
 */
const inspectionTurns: Turns = { first: 16, max: 200, ms: 150 };
/** A session keeps its interpreter for at least this long after its last activity; milliseconds. */
const leastIdleMs = 2_000;
/** Milliseconds after which idle interpreters are ended even if their place is not needed. */
const idleSessionMs = 15 * 60_000;
const idleHelperMs = 30_000;
const sweepMs = 10_000;
/** Shortest interval between two notifications about interpreter states; milliseconds. */
const notifyMs = 100;

/** Calls its listeners after changes, with a short delay. */
export class InterpreterPool extends Observable<readonly InterpreterView[]> {
  readonly #deps: PoolDeps;
  readonly #files: FolderFiles;
  /** The queues by the id of their session. Further queues of calls without a session have `+` after the id. */
  readonly #queues = new Map<string, SessionQueue>();
  readonly #allocator: InterpreterAllocator;
  readonly #helpers: Helpers;
  readonly #sweep: ReturnType<typeof setInterval>;
  readonly #stateless = new StatelessTurns();
  /** Number of inspections that are running or queued. */
  #scanning = 0;
  #hasResult = false;
  #retiring = false;
  #over = false;

  constructor(folder: FolderSnapshot, deps: PoolDeps) {
    const { capacity, limits, report } = deps;
    super(report);
    this.#deps = deps;
    this.#files = new FolderFiles(folder, limits);
    this.#allocator = new InterpreterAllocator({
      start: (signal, options) => this.#start(signal, options),
      bringUpToDate: (signal, python) => this.#files.bringUpToDate(signal, python),
      capacity,
      reclaim: () => this.#reclaim(performance.now() - leastIdleMs),
      isScanning: () => this.#scanning > 0,
      busy: () => this.#busy(),
      onChange: () => this.#notifySoon(),
    });
    this.#helpers = new Helpers({
      limits,
      max: capacity.helpers,
      hasRoom: () => this.#allocator.hasRoom,
      obtain: (signal) => this.#allocator.obtain(signal),
      writeOff: (python) => this.#allocator.writeOff(python),
      next: (sessionId) => this.#stateless.next([...this.#queues.values()], sessionId),
      hasNext: () => [...this.#queues.values()].some((queue) => queue.hasStateless),
      onChange: () => this.#settleSoon(),
    });
    this.#sweep = setInterval(() => this.#endIdle(), sweepMs);
  }

  /** Starts the interpreter for calls without a session. @throws {ToolError} */
  async ready(): Promise<void> {
    const { signal } = new AbortController();
    await this.#work(signal, 'starting', () => Promise.resolve({ survived: true }));
  }

  /**
   * Imports files and reports on each, in order. An interpreter that a file kills is replaced for the next file.
   * @throws {ToolError}
   */
  async inspect(
    signal: AbortSignal,
    files: readonly string[],
    onReport: (report: Inspection | ToolError) => void,
  ): Promise<void> {
    const { limits } = this.#deps;
    await inspectAll(files, inspectionTurns, (some) => {
      this.#scanning += 1;
      return this.#work(signal, some[0] ?? '', (python) =>
        inspectSome(signal, python, some, limits, onReport),
      ).finally(() => (this.#scanning -= 1));
    });
  }

  readonly run: Run = (signal, tool, call, watch) => {
    const result = new Promise<ToolResult>((settle) => {
      const { openHost } = this.#deps;
      this.#queue(call.sessionId).add({
        kind: 'call',
        signal,
        tool,
        call,
        watch,
        openHost,
        settle,
      });
    });
    if (!this.#hasResult) void result.then(() => this.#reportFirstResult());
    return result;
  };

  /** Asks the tool's `requires_approval` callable, once the session's interpreter is free. */
  async needsApproval(
    signal: AbortSignal,
    tool: RegisteredTool,
    { sessionId, arguments: args }: ToolCall,
  ): Promise<boolean> {
    const ask = async (python: FolderPython) => {
      const needed = await python.needsApproval(signal, tool, args);
      return { needed, survived: python.alive };
    };
    const ran = tool.stateless ? {} : { file: tool.source.file };
    return (await this.#work(signal, tool.name, ask, { sessionId, ...ran })).needed;
  }

  /** Judges a saved test in the interpreter of its session. @throws {ToolError} if that takes too long */
  async judge(
    signal: AbortSignal,
    sessionId: string,
    expect: JsonText,
    outcome: JsonText,
  ): Promise<readonly string[]> {
    // An expression that does not end would hold the interpreter, so the interpreter is replaced.
    const ask = async (python: FolderPython) => {
      try {
        const reasons = await python.judge(signal, expect, outcome);
        return { reasons, error: null, survived: python.alive };
      } catch (thrown) {
        const error = thrown instanceof Error ? thrown : new Error(String(thrown));
        // @mutant an expression that does not end loses its interpreter => false -> true
        //   [src/runtime/sandbox/judging.test.ts]
        return { reasons: [], error, survived: false };
      }
    };
    const { reasons, error } = await this.#work(signal, 'a test', ask, { sessionId });
    if (error !== null) throw error;
    return reasons;
  }

  readonly check: Dispatch['check'] = (signal, tool, call) => {
    const { limits } = this.#deps;
    return checkArguments(signal, tool, call, {
      limits,
      runBeside: (check) =>
        this.#work(signal, tool.name, check, { sessionId: call.sessionId, beside: true }),
      stateLost: () => this.#queue(call.sessionId).hasLost(tool.source.file),
    });
  };

  /** Makes `folder` the current version. Modules of changed files are dropped between two calls. */
  update(folder: FolderSnapshot, changes: FolderChanges): void {
    this.#files.change(folder, changes);
    this.#updateAll();
  }

  /**
   * Ends the spare, and the idle interpreters that hold no Python state, to free their memory. A spare is started again
   * by {@link wake}, or when something needs an interpreter.
   */
  rest(): void {
    this.#allocator.rest();
    for (const queue of this.#queues.values())
      if (queue.isReclaimable && !queue.hasState) queue.reclaim();
  }

  wake(): void {
    this.#allocator.wake();
  }

  /** Replaces the values of all settings, between two calls. Files whose values have changed are imported again. */
  setSettings(settings: SettingValues): void {
    this.#files.setSettings(settings);
    this.#updateAll();
  }

  /** Opens an inspector for changed files, which uses an interpreter apart from those of calls. */
  openInspector(): Inspector {
    return new Inspector(async (signal) => {
      const python = await this.#allocator.obtain(signal);
      return { python, folder: this.#files.versionOf(python).folder };
    }, this.#deps.limits);
  }

  /** Describes every interpreter, those of sessions first. */
  list(): readonly InterpreterView[] {
    const queues = [...this.#queues.values()].flatMap((queue) => queue.views());
    const awaited = queues.filter(({ state }) => state === 'starting').length;
    return [...queues, ...this.#helpers.views(), ...this.#allocator.views(awaited)];
  }

  /** Ends a session: its calls end as cancelled, and its Python state is lost. */
  endSession(sessionId: string): void {
    const queue = this.#queues.get(sessionId);
    this.#queues.delete(sessionId);
    queue?.dispose();
    this.#helpers.endSession(sessionId);
    this.#settleSoon();
  }

  /** Ends the interpreters once all requested work has ended. */
  retire(): void {
    this.#retiring = true;
    this.#settleSoon();
  }

  /** Ends the interpreters and their calls immediately. */
  dispose(): void {
    if (this.#over) return;
    this.#over = true;
    clearInterval(this.#sweep);
    for (const queue of this.#queues.values()) queue.dispose();
    this.#queues.clear();
    this.#helpers.dispose();
    this.#allocator.dispose();
    this.#notifySoon();
  }

  async #start(signal: AbortSignal, options: ForSpare): Promise<FolderPython> {
    const python = await this.#deps.take(signal, options);
    try {
      await this.#files.copyTo(signal, python);
      return python;
    } catch (thrown) {
      python.dispose();
      throw thrown;
    }
  }

  #updateAll(): void {
    this.#allocator.update();
    this.#helpers.retire();
    for (const queue of this.#queues.values()) queue.update();
  }

  #queue(sessionId: string, key = sessionId): SessionQueue {
    const known = this.#queues.get(key);
    if (known) return known;
    const queue = new SessionQueue(sessionId, {
      limits: this.#deps.limits,
      files: this.#files,
      obtain: (signal) => this.#allocator.obtain(signal),
      writeOff: (python) => this.#allocator.writeOff(python),
      onChange: () => this.#settleSoon(),
    });
    if (this.#over) queue.dispose();
    else this.#queues.set(key, queue);
    return queue;
  }

  /**
   * Moves the calls without a session that wait behind a question to the user to another interpreter: a user who does
   * not answer one caller must not stop the others.
   */
  #moveWaiting(): void {
    for (const [key, queue] of this.#queues)
      if (queue.sessionId === '' && queue.isHeld)
        for (const job of queue.takeQueued()) this.#queue('', `${key}+`).add(job);
  }

  /** Runs work in a session's interpreter: alone, or at the same time as calls if it is `beside` them. */
  #work<T extends { readonly survived: boolean }>(
    signal: AbortSignal,
    what: string,
    work: (...given: Parameters<WorkJob['run']>) => Promise<T>,
    { sessionId = '', ...options }: Pick<WorkJob, 'beside' | 'file'> & { sessionId?: string } = {},
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      const run: WorkJob['run'] = async (...given) => {
        const done = await work(...given);
        resolve(done);
        return done.survived;
      };
      this.#queue(sessionId).add({ kind: 'work', signal, what, run, refuse: reject, ...options });
    });
  }

  #reportFirstResult(): void {
    if (this.#hasResult) return;
    this.#hasResult = true;
    this.#deps.onFirstResult();
  }

  #busy(): number {
    return this.list().filter(({ state }) => state === 'busy').length;
  }

  /** Ends the interpreter that has been idle longest, if it has been idle since `before`. */
  #reclaim(before: number): boolean {
    if (this.#helpers.reclaim(performance.now())) return true;
    let found: SessionQueue | null = null;
    for (const queue of this.#queues.values()) {
      if (!queue.isReclaimable || (queue.idleSince ?? Infinity) > before) continue;
      if ((queue.idleSince ?? 0) < (found?.idleSince ?? Infinity)) found = queue;
    }
    found?.reclaim();
    return found !== null;
  }

  #endIdle(): void {
    const now = performance.now();
    while (this.#helpers.reclaim(now - idleHelperMs));
    for (const [key, queue] of this.#queues) {
      const isOld = queue.idleSince !== null && queue.idleSince < now - idleSessionMs;
      // The interpreter without a session serves calls that the user makes by hand. It is ended only if its
      // place is needed.
      if (key !== '' && isOld && queue.isReclaimable) queue.reclaim();
    }
    this.#settleSoon();
  }

  /** Waits for the end of the task, because many changes come at once. */
  readonly #settleSoon = defer(() => this.#settle(), queueMicrotask);

  /** Settles again when interpreters that have just become idle may be reclaimed. */
  readonly #checkAgain = defer(() => this.#settleSoon(), leastIdleMs / 2);

  readonly #notifySoon = defer(() => {
    this.emit(this.#over ? [] : this.list());
  }, notifyMs);

  #settle(): void {
    if (this.#over) return;
    this.#moveWaiting();
    this.#helpers.serve();
    this.#allocator.serve();
    if (this.#allocator.isWaitedFor) this.#checkAgain();
    const isIdle = [...this.#queues.values()].every((queue) => queue.idleSince !== null);
    if (this.#retiring && isIdle && this.#helpers.isIdle) this.dispose();
  }
}
