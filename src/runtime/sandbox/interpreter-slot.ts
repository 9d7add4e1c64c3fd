/**
 * An interpreter and the calls that run in it. Decides how each call ends, and when the interpreter must end with it.
 */

import { PatientTimers } from '../async/patient-timer.ts';
import type { OrLost, PythonOutcome } from '../protocol/frame.ts';
import type { Limits } from '../spec/limits.ts';
import type { Ending } from '../spec/result.ts';
import type { WorkspaceNote } from '../spec/workspace.ts';
import type { WorkspaceAccess } from '../workspace/workspace-access.ts';
import { CallLimits } from './call-limits.ts';
import {
  callContext,
  type RunningCall,
  endedBy,
  toResult,
  type RunFacts,
} from './interpreter-calls.ts';
import type { FolderPython } from './interpreter.ts';
import type { CallJob, Job, WorkJob } from './jobs.ts';
import { lossError } from './loss-error.ts';

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

interface Active {
  readonly job: Job;
  readonly overlaps: boolean;
  /** Ends the job as `interrupted`. */
  readonly interrupt: AbortController;
  /** Set once the call has started. */
  limits?: CallLimits;
}

type EarlyEnding = Extract<Ending, 'cancelled' | 'timeout' | 'interrupted'>;
type Ended = OrLost<PythonOutcome> | EarlyEnding;

export class InterpreterSlot {
  readonly python: FolderPython;
  readonly #deps: InterpreterSlotDeps;
  readonly #running = new Set<Active>();
  /** Number of calls that have already ended for their callers and may still stop by themselves. */
  #closing = 0;
  /** Whether the interpreter ends once its calls have ended. */
  #takesNoCalls = false;
  readonly #timers = new PatientTimers();
  /** Files whose tools have been called, except for `stateless` ones. */
  readonly #calledFiles = new Set<string>();

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

  /**
   * Runs a job and resolves when it has left.
   * @param options.overlaps whether it may run at the same time as other jobs that may overlap
   */
  async run(job: Job, { overlaps }: Pick<Active, 'overlaps'>): Promise<void> {
    const active: Active = { job, overlaps, interrupt: new AbortController() };
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

  async #work(active: Active, job: WorkJob): Promise<void> {
    const isAlone = (): boolean => this.#running.size === 1;
    if (job.file !== undefined) this.#calledFiles.add(job.file);
    if (!(await job.run(this.python, isAlone))) this.#condemn(active);
  }

  async #call(active: Active, job: CallJob): Promise<void> {
    const { tool, call, watch, signal, openHost } = job;
    const { limits } = this.#deps;
    if (!tool.stateless) this.#calledFiles.add(tool.source.file);
    watch.onStart();
    const entering = this.#enterWorkspace(active, job);
    // Do not await anything if there is no workspace.
    const access = entering === null ? null : await entering;
    const facts = (workspace?: WorkspaceNote): RunFacts => ({
      tool: tool.name,
      durationMs: active.limits?.ranMs ?? 0,
      interpreter: this.python.name,
      stateLost: this.#deps.stateLost(tool.source.file),
      ...(workspace === undefined ? {} : { workspace }),
    });
    if (entering !== null && (signal.aborted || active.interrupt.signal.aborted)) {
      job.settle(endedBy(signal.aborted ? 'cancelled' : 'interrupted', null, facts()));
      return;
    }
    let onOver = (): void => undefined;
    const time = new CallLimits(
      this.#timers,
      tool.timeout_s * 1000,
      limits.idleMs,
      () => onOver(),
      () => this.#deps.onChange(),
    );
    active.limits = time;
    let reported = false;
    const host = openHost(tool, call, time);
    const context = callContext(call, host.network, access?.context);
    const running = this.python.call(tool, call, context, limits, {
      onStream: (stream) => {
        time.progress();
        if (!reported) watch.onStream(stream);
      },
      answer: (n, ask) => host.answer(n, ask),
    });
    const ended = await new Promise<Ended>((resolve) => {
      onOver = () => {
        resolve('timeout');
      };
      firstOf(signal, active.interrupt.signal, running, resolve);
    });
    host.end();
    time.stop();
    reported = true;
    if (typeof ended === 'string') {
      const why = ended === 'timeout' ? (time.why ?? '') : '';
      const known = facts(access?.lose({ isShared: this.open && this.#running.size > 1 }));
      await this.#endEarly(active, job, running, async () => {
        job.settle(endedBy(ended, await running.streamed(), known, why));
      });
    } else if (ended.ok) {
      const known = facts();
      const origin = { tool: tool.name, callId: call.id };
      const workspace = await access?.end(active.interrupt.signal, origin);
      job.settle(toResult(ended.value, workspace === undefined ? known : { ...known, workspace }));
    } else {
      // The interpreter is lost, although `ended` may not have resolved yet. Start no other call in it.
      this.#takesNoCalls = true;
      const stopped = signal.aborted || this.#deps.isStopped();
      const ending = stopped ? 'cancelled' : 'crashed';
      const why = lossError(ended.loss).message;
      job.settle(
        endedBy(ending, ended.streamed ?? null, facts(access?.lose({ isShared: false })), why),
      );
    }
  }

  /** Returns null synchronously if there is no workspace. If the interpreter is lost meanwhile, the call reports it. */
  #enterWorkspace(
    { interrupt }: Active,
    { signal }: CallJob,
  ): Promise<WorkspaceAccess | null> | null {
    // The combined signal is created only on demand, because it costs more than everything else
    // here.
    const anyStop = (): AbortSignal => AbortSignal.any([signal, interrupt.signal]);
    const isAlone = (): boolean => this.#running.size === 1;
    return this.python.workspace?.enter(anyStop, isAlone)?.catch(() => null) ?? null;
  }

  /**
   * Ends a call early. Reports its result first, without waiting for Python to stop; the next call gets
   * another interpreter if this one must end.
   */
  async #endEarly(
    active: Active,
    { tool }: CallJob,
    running: RunningCall,
    settle: () => Promise<void>,
  ): Promise<void> {
    // A plain function cannot be cancelled while it runs.
    const canReceive = tool.handler.kind !== 'function' && this.open;
    if (!canReceive) this.#condemn(active);
    else running.cancel();
    if (active.interrupt.signal.aborted || !canReceive) {
      await settle();
      return;
    }
    this.#closing += 1;
    const [over] = await Promise.all([endsInTime(running), settle()]);
    this.#closing -= 1;
    if (!over) this.#condemn(active);
  }

  /** Stops accepting calls. Interrupts running calls, except those with `interrupt: 'block'`, which may finish. */
  #condemn(cause: Active): void {
    if (this.#takesNoCalls) return;
    this.#takesNoCalls = true;
    for (const active of this.#running) {
      const { job, interrupt } = active;
      const waits = job.kind === 'call' && job.tool.interrupt === 'block';
      if (active !== cause && !waits) interrupt.abort();
    }
    this.#deps.onChange();
  }

  #leave(active: Active): void {
    this.#running.delete(active);
    this.#endIfEmpty();
    this.#deps.onChange();
  }

  #endIfEmpty(): void {
    if (this.#takesNoCalls && this.#running.size === 0) this.python.dispose();
  }
}

/** Calls `settle` with the way in which a call ends first; later calls of it have no effect. */
function firstOf(
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

/** Returns whether the handler ended within its grace period. False if the interpreter was lost. */
async function endsInTime(running: RunningCall): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, graceMs, null);
  });
  const outcome = await Promise.race([running.outcome, late]);
  clearTimeout(timer);
  return outcome?.ok === true;
}
