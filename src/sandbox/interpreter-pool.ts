/** The interpreters of an open folder: one for each session, a warm spare, and helpers for stateless calls. */

import type { OpenHost } from '../call/call-host.ts';
import type { Dispatch, Run } from '../spec/dispatch.ts';
import { deferred } from '../async/coalesce.ts';
import { createObservers } from '../hooks/observe.ts';
import type { ToolError } from '../spec/error.ts';
import type { ToolCall } from '../spec/call.ts';
import type { FolderChanges, FolderSnapshot } from '../spec/folder.ts';
import type { Inspection } from '../spec/inspection.ts';
import type { InterpreterView } from '../spec/interpreter.ts';
import type { Limits } from '../spec/limits.ts';
import type { RegisteredTool } from '../spec/tool.ts';
import { checkArguments } from './argument-check.ts';
import type { Capacity } from './interpreter-allocator.ts';
import { FolderFiles } from './folder-files.ts';
import type { FolderPython, PristinePython } from './interpreter.ts';
import { Helpers } from './helpers.ts';
import { inspectAll, inspectSome } from './inspecting.ts';
import { Inspector } from './inspector.ts';
import type { WorkJob } from './jobs.ts';
import { SessionQueue } from './session-queue.ts';
import { StatelessTurns } from './session-queue.ts';
import { InterpreterAllocator } from './interpreter-allocator.ts';

export interface PoolDeps {
  /** A started interpreter that has seen no tool code. @param spare nobody waits for it @throws {ToolError} */
  readonly take: (signal: AbortSignal, spare: boolean) => Promise<PristinePython>;
  readonly capacity: Capacity;
  readonly limits: Limits;
  readonly openHost: OpenHost;
  /** Told of what listeners throw. */
  readonly report: (thrown: unknown) => void;
}

/** Files that Python is given at once: it need not wait for the page between them, and calls get their turn. */
const inspectedInOneTurn = 16;
/** A session that did something a moment ago is not taken its interpreter away for another; milliseconds. */
const leastIdleMs = 2_000;
/** An interpreter idle for so long is given up though nobody needs its room; milliseconds. */
const idleSessionMs = 15 * 60_000;
const idleHelperMs = 30_000;
const sweepMs = 10_000;
/** The state of interpreters is told at most this often; milliseconds. */
const tellMs = 100;

export class InterpreterPool {
  readonly #deps: PoolDeps;
  readonly #files: FolderFiles;
  readonly #observers;
  readonly #queues = new Map<string, SessionQueue>();
  readonly #allocator: InterpreterAllocator;
  readonly #helpers: Helpers;
  readonly #sweep: ReturnType<typeof setInterval>;
  readonly #stateless = new StatelessTurns();
  /** Inspections that are under way or wait. */
  #scanning = 0;
  #retiring = false;
  #over = false;

  constructor(folder: FolderSnapshot, deps: PoolDeps) {
    const { capacity, limits, report } = deps;
    this.#deps = deps;
    this.#files = new FolderFiles(folder, limits);
    this.#observers = createObservers<readonly InterpreterView[]>(report);
    this.#allocator = new InterpreterAllocator({
      start: (signal, spare) => this.#start(signal, spare),
      keepUp: (signal, python) => this.#files.keepUp(signal, python),
      capacity,
      reclaim: () => this.#reclaim(performance.now() - leastIdleMs),
      isScanning: () => this.#scanning > 0,
      isBusy: () => this.#busy() >= capacity.cores,
      onChange: () => {
        this.#tellSoon();
      },
    });
    this.#helpers = new Helpers({
      limits,
      most: capacity.helpers,
      hasRoom: () => this.#allocator.hasRoom,
      obtain: (signal) => this.#allocator.obtain(signal),
      writeOff: (python) => {
        this.#allocator.writeOff(python);
      },
      next: (sessionId) => this.#stateless.next([...this.#queues.values()], sessionId),
      hasNext: () => [...this.#queues.values()].some((queue) => queue.hasStateless),
      onChange: () => {
        this.#settleSoon();
      },
    });
    this.#sweep = setInterval(() => {
      this.#giveUpIdle();
    }, sweepMs);
  }

  /** Has the interpreter for calls without a session ready. @throws {ToolError} */
  async ready(): Promise<void> {
    const { signal } = new AbortController();
    await this.#work(signal, 'starting', () => Promise.resolve({ survived: true }));
  }

  /**
   * Imports files and reports on each, in order; an interpreter that does not survive one is replaced for the next.
   * @throws {ToolError}
   */
  async inspect(
    signal: AbortSignal,
    files: readonly string[],
    onReport: (report: Inspection | ToolError) => void,
  ): Promise<void> {
    const { limits } = this.#deps;
    await inspectAll(files, inspectedInOneTurn, (some) => {
      this.#scanning += 1;
      return this.#work(signal, some[0] ?? '', (python) =>
        inspectSome(signal, python, some, limits, onReport),
      ).finally(() => (this.#scanning -= 1));
    });
  }

  readonly run: Run = (signal, tool, call, watch) =>
    new Promise((tell) => {
      const { openHost } = this.#deps;
      this.#queue(call.sessionId).add({ kind: 'call', signal, tool, call, watch, openHost, tell });
    });

  /** What the tool's own callable says about asking the person first, when its session's interpreter is free. */
  async needsApproval(
    signal: AbortSignal,
    tool: RegisteredTool,
    { sessionId, arguments: args }: ToolCall,
  ): Promise<boolean> {
    const ask = async (python: FolderPython) => {
      const needed = await python.needsApproval(signal, tool, args);
      return { needed, survived: python.alive };
    };
    return (await this.#work(signal, tool.name, ask, sessionId)).needed;
  }

  readonly check: Dispatch['check'] = (signal, tool, call) => {
    const { limits } = this.#deps;
    return checkArguments(signal, tool, call, {
      limits,
      look: (check) => this.#work(signal, tool.name, check, call.sessionId, true),
      stateLost: () => this.#queue(call.sessionId).hasLost(tool.source.file),
    });
  };

  /** The folder's files are these from now on; what was loaded of the changed ones goes between two calls. */
  update(folder: FolderSnapshot, changes: FolderChanges): void {
    this.#files.change(folder, changes);
    this.#allocator.update();
    this.#helpers.retire();
    for (const queue of this.#queues.values()) queue.update();
  }

  /** For files that have changed, apart from calls: it takes an interpreter of its own while it is used. */
  openInspector(): Inspector {
    return new Inspector(async (signal) => {
      const python = await this.#allocator.obtain(signal);
      return { python, folder: this.#files.of(python).folder };
    }, this.#deps.limits);
  }

  /** Every interpreter there is, sessions first. */
  list(): readonly InterpreterView[] {
    const queues = [...this.#queues.values()].flatMap((queue) => queue.views());
    const awaited = queues.filter(({ state }) => state === 'starting').length;
    return [...queues, ...this.#helpers.views(), ...this.#allocator.views(awaited)];
  }

  /** Told of changes, some time after them. @returns dispose */
  observe(listener: (views: readonly InterpreterView[]) => void): () => void {
    return this.#observers.observe(listener);
  }

  /** The session is over: its calls end as cancelled, its state is gone. */
  endSession(sessionId: string): void {
    const queue = this.#queues.get(sessionId);
    this.#queues.delete(sessionId);
    queue?.dispose();
    this.#helpers.endSession(sessionId);
    this.#settleSoon();
  }

  /** Lets everything that was asked of it end, then ends the interpreters. */
  retire(): void {
    this.#retiring = true;
    this.#settleSoon();
  }

  /** Ends the interpreters and whatever runs in them. */
  dispose(): void {
    if (this.#over) return;
    this.#over = true;
    clearInterval(this.#sweep);
    for (const queue of this.#queues.values()) queue.dispose();
    this.#queues.clear();
    this.#helpers.dispose();
    this.#allocator.dispose();
    this.#tellSoon();
  }

  async #start(signal: AbortSignal, spare: boolean): Promise<FolderPython> {
    const python = await this.#deps.take(signal, spare);
    try {
      await this.#files.putInto(signal, python);
      return python;
    } catch (thrown) {
      python.dispose();
      throw thrown;
    }
  }

  #queue(sessionId: string): SessionQueue {
    const known = this.#queues.get(sessionId);
    if (known) return known;
    const queue = new SessionQueue(sessionId, {
      limits: this.#deps.limits,
      files: this.#files,
      obtain: (signal) => this.#allocator.obtain(signal),
      writeOff: (python) => {
        this.#allocator.writeOff(python);
      },
      onChange: () => {
        this.#settleSoon();
      },
    });
    if (this.#over) queue.dispose();
    else this.#queues.set(sessionId, queue);
    return queue;
  }

  #work<T extends { readonly survived: boolean }>(
    signal: AbortSignal,
    what: string,
    work: (...given: Parameters<WorkJob['run']>) => Promise<T>,
    sessionId = '',
    beside = false,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      const run: WorkJob['run'] = async (...given) => {
        const done = await work(...given);
        resolve(done);
        return done.survived;
      };
      this.#queue(sessionId).add({ kind: 'work', signal, what, run, refuse: reject, beside });
    });
  }

  #busy(): number {
    return this.list().filter(({ state }) => state === 'busy').length;
  }

  /** Ends the interpreter that has been idle for longest, and since before. */
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

  #giveUpIdle(): void {
    const now = performance.now();
    while (this.#helpers.reclaim(now - idleHelperMs));
    for (const queue of this.#queues.values()) {
      const isOld = queue.idleSince !== null && queue.idleSince < now - idleSessionMs;
      // The one without a session is what the person plays with; it goes where its room is needed.
      if (queue.sessionId !== '' && isOld && queue.isReclaimable) queue.reclaim();
    }
    this.#settleSoon();
  }

  /** Many changes come at once. */
  readonly #settleSoon = deferred(() => {
    this.#settle();
  }, queueMicrotask);

  /** Who is idle only now may be idle for long enough then. */
  readonly #lookAgain = deferred(() => {
    this.#settleSoon();
  }, leastIdleMs / 2);

  readonly #tellSoon = deferred(() => {
    this.#observers.emit(this.#over ? [] : this.list());
  }, tellMs);

  #settle(): void {
    if (this.#over) return;
    this.#helpers.go();
    this.#allocator.serve();
    if (this.#allocator.isWaitedFor) this.#lookAgain();
    const isIdle = [...this.#queues.values()].every((queue) => queue.idleSince !== null);
    if (this.#retiring && isIdle && this.#helpers.isIdle) this.dispose();
  }
}
