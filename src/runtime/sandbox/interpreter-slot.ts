/**
 * An interpreter and the jobs that run in it: calls and other work. Decides how each call ends, and when the interpreter
 * must end with it.
 */

import { PatientTimers } from '../async/timers.ts';
import { lossError, type OrLost, type PythonOutcome } from '../protocol/frame.ts';
import type { Limits } from '../spec/limits.ts';
import type { Ending, ToolResult, WorkspaceNote } from '../spec/result.ts';
import type { WorkspaceAccess } from '../workspace/workspace-access.ts';
import { CallLimits } from './call-limits.ts';
import { endedBy, type RunFacts, toResult } from './call-results.ts';
import { callContext, type RunningCall } from './interpreter-calls.ts';
import type { FolderPython } from './interpreter.ts';
import type { OpenHost } from '../protocol/ask.ts';
import type { RunWatch, ToolCall } from '../spec/call.ts';
import type { ToolError } from '../spec/error.ts';
import type { RegisteredTool } from '../spec/tool.ts';

export interface CallJob {
  readonly kind: 'call';
  /** Ends the call as `cancelled`. */
  readonly signal: AbortSignal;
  readonly tool: RegisteredTool;
  readonly call: ToolCall;
  readonly watch: RunWatch;
  readonly openHost: OpenHost;
  /** Ends the job with a result. Only the first one counts. */
  settle(result: ToolResult): void;
}

/** Any other work. It has the interpreter to itself unless `beside` is true. */
export interface WorkJob {
  readonly kind: 'work';
  readonly signal: AbortSignal;
  /** Shown as the work that the interpreter is busy with. */
  readonly what: string;
  /** Whether the work may start while calls run or wait, because it runs no tool code. */
  readonly beside?: boolean;
  /** The file whose code the work runs, which may leave Python state. */
  readonly file?: string;
  /**
   * @param isAlone whether nothing else runs in the interpreter
   * @returns whether the interpreter can still be used; never rejects
   */
  run(python: FolderPython, isAlone: () => boolean): Promise<boolean>;
  /** Called instead of `run` if the work will not run. */
  refuse(error: ToolError): void;
}

export type Job = CallJob | WorkJob;

/** Milliseconds that a cancelled asynchronous handler or generator has to stop by itself. */
const graceMs = 1_000;

export interface InterpreterSlotDeps {
  readonly limits: Limits;
  /** Whether results of this file's tools report Python state that was lost earlier. */
  stateLost(file: string): boolean;
  /** Whether the owner of the interpreter is ending everything. */
  isStopped(): boolean;
  /** Called when a call has ended or waits for the user, or when the slot stops accepting calls. */
  onChange(): void;
}

/** A job that runs in the interpreter. */
interface RunningJob {
  readonly job: Job;
  /** Whether it may run at the same time as other jobs that may overlap. */
  readonly overlaps: boolean;
  /** Ends the job as `interrupted`. */
  readonly interrupt: AbortController;
  /** Set once the call has started. */
  limits?: CallLimits;
}

/** How a call ended first: with an outcome, with the loss of its interpreter, or early. */
type Ended = OrLost<PythonOutcome> | Extract<Ending, 'cancelled' | 'timeout' | 'interrupted'>;

export class InterpreterSlot {
  readonly python: FolderPython;
  readonly #deps: InterpreterSlotDeps;
  readonly #running = new Set<RunningJob>();
  /** Number of calls that have already ended for their callers and may still stop by themselves. */
  #closing = 0;
  /** Whether the interpreter accepts no further calls, and ends once the running ones have ended. */
  #takesNoCalls = false;
  readonly #timers = new PatientTimers();
  /** Files whose tools have been called, except for `stateless` ones. */
  readonly #calledFiles = new Set<string>();
  /** Whether only one job is running. */
  readonly #isAlone = (): boolean => this.#running.size === 1;

  constructor(python: FolderPython, deps: InterpreterSlotDeps) {
    this.python = python;
    this.#deps = deps;
    void python.ended.then(() => {
      this.#timers.clear();
      deps.onChange();
    });
  }

  /** Whether the interpreter will still be used after the current calls. */
  get open(): boolean {
    return !this.#takesNoCalls && this.python.alive;
  }

  /** Whether a call may start now. False while a cancelled call may still have to be ended. */
  get canStart(): boolean {
    return this.open && this.#closing === 0;
  }

  get free(): boolean {
    return this.#running.size === 0;
  }

  /** Whether all that runs are calls that wait for the user's answer. */
  get isHeld(): boolean {
    for (const { limits } of this.#running) if (limits?.isPaused !== true) return false;
    return this.#running.size > 0;
  }

  /** Whether all running jobs may overlap with others. */
  get allowsOverlap(): boolean {
    for (const { overlaps } of this.#running) if (!overlaps) return false;
    return true;
  }

  /** Whether work that runs no tool code may start now: beside calls, and beside other such work. */
  get takesWorkBeside(): boolean {
    if (!this.open) return false;
    for (const { job } of this.#running)
      if (job.kind === 'work' && job.beside !== true) return false;
    return true;
  }

  /** Files whose code has run in this interpreter, so that it may hold Python state. `stateless` tools keep none. */
  get calledFiles(): ReadonlySet<string> {
    return this.#calledFiles;
  }

  get busyWith(): string[] {
    return Array.from(this.#running, ({ job }) => (job.kind === 'call' ? job.tool.name : job.what));
  }

  /** Runs a job. Resolves once the slot no longer counts the job as running. */
  async run(job: Job, { overlaps }: Pick<RunningJob, 'overlaps'>): Promise<void> {
    const active: RunningJob = { job, overlaps, interrupt: new AbortController() };
    this.#running.add(active);
    if (job.kind === 'call') await this.#call(active, job);
    else await this.#work(active, job);
    this.#leave(active);
  }

  /** Ends all calls as `interrupted`, also those with `interrupt: 'block'`, and then the interpreter. */
  end(): void {
    this.#takesNoCalls = true;
    for (const { interrupt } of this.#running) interrupt.abort();
    this.#endIfEmpty();
  }

  /** Accepts no further calls, and ends the interpreter when the running ones have ended. */
  retire(): void {
    this.#takesNoCalls = true;
    this.#endIfEmpty();
  }

  /** Ends the interpreter and its calls immediately. */
  dispose(): void {
    this.#takesNoCalls = true;
    this.python.dispose();
  }

  async #work(active: RunningJob, job: WorkJob): Promise<void> {
    if (job.file !== undefined) this.#calledFiles.add(job.file);
    const isUsable = await job.run(this.python, this.#isAlone);
    if (!isUsable) this.#condemn(active);
  }

  async #call(active: RunningJob, job: CallJob): Promise<void> {
    const { tool, call, watch, signal, openHost } = job;
    const { limits } = this.#deps;
    const interrupt = active.interrupt.signal;
    if (!tool.stateless) this.#calledFiles.add(tool.source.file);
    watch.onStart();
    const entering = this.#enterWorkspace(active, job);
    // A call without a workspace starts at once, without waiting for a promise.
    const access = entering === null ? null : await entering;
    if (entering !== null && (signal.aborted || interrupt.aborted)) {
      const ending = signal.aborted ? 'cancelled' : 'interrupted';
      job.settle(endedBy(ending, null, this.#factsOf(active, job)));
      return;
    }
    let endWith = (_: Ended): void => undefined;
    const ending = new Promise<Ended>((resolve) => {
      endWith = resolve;
    });
    const clock = new CallLimits(
      this.#timers,
      tool.timeout_s * 1000,
      limits.idleMs,
      () => endWith('timeout'),
      () => this.#deps.onChange(),
    );
    active.limits = clock;
    let hasEnded = false;
    const host = openHost(tool, call, clock);
    const context = callContext(call, host.network, access?.context);
    const running = this.python.call(tool, call, context, limits, {
      onStream: (stream) => {
        clock.progress();
        if (!hasEnded) watch.onStream(stream);
      },
      answer: (n, ask) => host.answer(n, ask),
    });
    settleWithFirst(signal, interrupt, running, endWith);
    const ended = await ending;
    host.end();
    clock.stop();
    hasEnded = true;
    if (typeof ended === 'string') {
      const note = access?.lose({ isShared: this.open && this.#running.size > 1 });
      const facts = this.#factsOf(active, job, note);
      const detail = ended === 'timeout' ? (clock.why ?? '') : '';
      await this.#endEarly(active, job, running, async () => {
        job.settle(endedBy(ended, await running.streamed(), facts, detail));
      });
    } else if (ended.ok) {
      const facts = this.#factsOf(active, job);
      const origin = { tool: tool.name, callId: call.id };
      const workspace = await access?.end(interrupt, origin);
      job.settle(toResult(ended.value, workspace === undefined ? facts : { ...facts, workspace }));
    } else {
      // The interpreter is lost, although `python.ended` may not have resolved yet. Start no other call in it.
      this.#takesNoCalls = true;
      const isCancelled = signal.aborted || this.#deps.isStopped();
      const facts = this.#factsOf(active, job, access?.lose({ isShared: false }));
      const { message } = lossError(ended.loss);
      job.settle(
        endedBy(isCancelled ? 'cancelled' : 'crashed', ended.streamed ?? null, facts, message),
      );
    }
  }

  /** @param workspace a note about the workspace for the result, if there is one */
  #factsOf({ limits }: RunningJob, { tool }: CallJob, workspace?: WorkspaceNote): RunFacts {
    return {
      tool: tool.name,
      durationMs: limits?.ranMs ?? 0,
      interpreter: this.python.name,
      stateLost: this.#deps.stateLost(tool.source.file),
      ...(workspace === undefined ? {} : { workspace }),
    };
  }

  /**
   * Returns null synchronously if there is no workspace. Resolves to null if entering it fails. If it fails because the
   * interpreter was lost, the call itself reports the loss.
   */
  #enterWorkspace(
    { interrupt }: RunningJob,
    { signal }: CallJob,
  ): Promise<WorkspaceAccess | null> | null {
    // Combining signals costs more than everything else here, so it is done only if a workspace asks for it.
    const anyStop = (): AbortSignal => AbortSignal.any([signal, interrupt.signal]);
    return this.python.workspace?.enter(anyStop, this.#isAlone)?.catch(() => null) ?? null;
  }

  /**
   * Ends a call early. Reports its result first, without waiting for Python to stop; the next call gets
   * another interpreter if this one must end.
   */
  async #endEarly(
    active: RunningJob,
    { tool }: CallJob,
    running: RunningCall,
    settle: () => Promise<void>,
  ): Promise<void> {
    // A plain function cannot be cancelled while it runs.
    const canCancel = tool.handler.kind !== 'function' && this.open;
    if (canCancel) running.cancel();
    else this.#condemn(active);
    // An interrupted call is not waited for: the interpreter ends anyway.
    if (!canCancel || active.interrupt.signal.aborted) {
      await settle();
      return;
    }
    this.#closing += 1;
    const [hasStopped] = await Promise.all([stopsInTime(running), settle()]);
    this.#closing -= 1;
    if (!hasStopped) this.#condemn(active);
  }

  /** Stops accepting calls. Interrupts running calls, except those with `interrupt: 'block'`, which may finish. */
  #condemn(cause: RunningJob): void {
    if (this.#takesNoCalls) return;
    this.#takesNoCalls = true;
    for (const active of this.#running) {
      const { job, interrupt } = active;
      const mayFinish = job.kind === 'call' && job.tool.interrupt === 'block';
      if (active !== cause && !mayFinish) interrupt.abort();
    }
    this.#deps.onChange();
  }

  #leave(active: RunningJob): void {
    this.#running.delete(active);
    this.#endIfEmpty();
    this.#deps.onChange();
  }

  #endIfEmpty(): void {
    if (this.#takesNoCalls && this.#running.size === 0) this.python.dispose();
  }
}

/** Calls `settle` with each way in which a call ends. Only the first has an effect, since `settle` resolves a promise. */
function settleWithFirst(
  cancel: AbortSignal,
  interrupt: AbortSignal,
  running: RunningCall,
  settle: (ended: Ended) => void,
): void {
  const onCancel = (): void => settle('cancelled');
  const onInterrupt = (): void => settle('interrupted');
  if (cancel.aborted) onCancel();
  if (interrupt.aborted) onInterrupt();
  cancel.addEventListener('abort', onCancel);
  interrupt.addEventListener('abort', onInterrupt);
  void running.outcome.then((outcome) => {
    // A long-lived signal must not keep the call in memory.
    cancel.removeEventListener('abort', onCancel);
    settle(outcome);
  });
}

/** Resolves to whether a cancelled handler stopped within `graceMs`; to false if the interpreter was lost. */
async function stopsInTime(running: RunningCall): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, graceMs, null);
  });
  const outcome = await Promise.race([running.outcome, late]);
  clearTimeout(timer);
  return outcome?.ok === true;
}
