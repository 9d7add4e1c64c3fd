/** One interpreter and the calls that run in it: how each of them ends, and the interpreter with them. */

import type { OrLost, PythonOutcome } from '../protocol/frame.ts';
import type { Limits } from '../spec/limits.ts';
import type { Ending } from '../spec/result.ts';
import { callContext } from './interpreter-calls.ts';
import { CallLimits } from './call-limits.ts';
import type { FolderPython } from './interpreter.ts';
import type { RunningCall } from './interpreter-calls.ts';
import type { CallJob, Job, WorkJob } from './jobs.ts';
import type { WorkspaceNote } from '../spec/workspace.ts';
import type { WorkspaceAccess } from '../workspace/workspace-access.ts';
import { lossError } from './loss-error.ts';
import { endedBy, toResult, type RunFacts } from './outcome.ts';

/** How long a cancelled handler that can end by itself may take to do so; milliseconds. */
const graceMs = 250;

export interface InterpreterSlotDeps {
  readonly limits: Limits;
  /** What results of tools of this file say about Python state that was lost earlier. */
  stateLost(file: string): boolean;
  /** Everything is being ended, by whoever owns the interpreter. */
  isStopped(): boolean;
  /** A call has left, or no further one is taken. */
  onChange(): void;
}

interface Active {
  readonly job: Job;
  readonly overlaps: boolean;
  /** Ends it as `interrupted`. */
  readonly interrupt: AbortController;
}

type Cut = Extract<Ending, 'cancelled' | 'timeout' | 'interrupted'>;
type Ended = OrLost<PythonOutcome> | Cut;

export class InterpreterSlot {
  readonly python: FolderPython;
  readonly #deps: InterpreterSlotDeps;
  readonly #running = new Set<Active>();
  /** Calls that have ended for their caller and may still end by themselves. */
  #closing = 0;
  #condemned = false;
  /** Files whose tools were called. */
  readonly #ran = new Set<string>();

  constructor(python: FolderPython, deps: InterpreterSlotDeps) {
    this.python = python;
    this.#deps = deps;
    void python.ended.then(() => {
      deps.onChange();
    });
  }

  /** Its interpreter goes on after the calls that run now. */
  get open(): boolean {
    return !this.#condemned && this.python.alive;
  }

  /** A call may start now, as far as those that have ended for their callers allow. */
  get takes(): boolean {
    return this.open && this.#closing === 0;
  }

  get free(): boolean {
    return this.#running.size === 0;
  }

  /** Only calls run that others may overlap with. */
  get allowsOverlap(): boolean {
    for (const { overlaps } of this.#running) if (!overlaps) return false;
    return true;
  }

  /** Only calls run, and what may run beside them. */
  get runsCallsOnly(): boolean {
    for (const { job } of this.#running)
      if (job.kind === 'work' && job.beside !== true) return false;
    return true;
  }

  /** Files whose tools were called in it, so that there may be Python state to lose. */
  get ran(): ReadonlySet<string> {
    return this.#ran;
  }

  get busyWith(): string[] {
    return Array.from(this.#running, ({ job }) => (job.kind === 'call' ? job.tool.name : job.what));
  }

  /** Settles when the job has left. @param overlaps others that may, may run beside it */
  async run(job: Job, overlaps: boolean): Promise<void> {
    const active = { job, overlaps, interrupt: new AbortController() };
    this.#running.add(active);
    if (job.kind === 'call') await this.#call(active, job);
    else await this.#work(active, job);
    this.#leave(active);
  }

  /** Ends the calls as `interrupted`, those that must not be cut off too, and then the interpreter. */
  end(): void {
    this.#condemned = true;
    for (const { interrupt } of this.#running) interrupt.abort();
    this.#endIfEmpty();
  }

  /** Takes no further call, and ends its interpreter when those that run have ended. */
  retire(): void {
    this.#condemned = true;
    this.#endIfEmpty();
  }

  /** Ends everything at once. */
  dispose(): void {
    this.#condemned = true;
    this.python.dispose();
  }

  async #work(active: Active, job: WorkJob): Promise<void> {
    const isAlone = (): boolean => this.#running.size === 1;
    if (!(await job.run(this.python, isAlone))) this.#condemn(active);
  }

  async #call(active: Active, job: CallJob): Promise<void> {
    const { tool, call, watch, signal, openHost } = job;
    const { limits } = this.#deps;
    this.#ran.add(tool.source.file);
    watch.onStart();
    const entering = this.#enterWorkspace(active, job);
    // Without a workspace, nothing is waited for.
    const access = entering === null ? null : await entering;
    const from = performance.now();
    const facts = (workspace?: WorkspaceNote): RunFacts => ({
      tool: tool.name,
      durationMs: performance.now() - from,
      interpreter: this.python.name,
      stateLost: this.#deps.stateLost(tool.source.file),
      ...(workspace === undefined ? {} : { workspace }),
    });
    if (entering !== null && (signal.aborted || active.interrupt.signal.aborted)) {
      job.tell(endedBy(signal.aborted ? 'cancelled' : 'interrupted', null, facts()));
      return;
    }
    const time = new CallLimits(tool.timeout_s * 1000, limits.idleMs);
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
    const ended = await firstOf(signal, active.interrupt.signal, time.signal, running);
    host.end();
    time.stop();
    reported = true;
    if (typeof ended === 'string') {
      const why = ended === 'timeout' ? String(time.signal.reason) : '';
      const known = facts(access?.lose(this.open && this.#running.size > 1));
      await this.#cut(active, job, running, async () => {
        job.tell(endedBy(ended, await running.streamed(), known, why));
      });
    } else if (ended.ok) {
      const known = facts();
      const origin = { tool: tool.name, callId: call.id };
      const workspace = await access?.end(active.interrupt.signal, origin);
      job.tell(toResult(ended.value, workspace === undefined ? known : { ...known, workspace }));
    } else {
      // Lost, though that may not have been told yet: nobody else is sent into it.
      this.#condemned = true;
      const stopped = signal.aborted || this.#deps.isStopped();
      const ending = stopped ? 'cancelled' : 'crashed';
      const why = lossError(ended.loss).message;
      job.tell(endedBy(ending, ended.streamed ?? null, facts(access?.lose(false)), why));
    }
  }

  /** Null, at once, where there is no workspace. Where the interpreter is lost on the way, the call itself says so. */
  #enterWorkspace(
    { interrupt }: Active,
    { signal }: CallJob,
  ): Promise<WorkspaceAccess | null> | null {
    // Made for whoever needs it alone: it costs more than all the rest.
    const either = (): AbortSignal => AbortSignal.any([signal, interrupt.signal]);
    const isAlone = (): boolean => this.#running.size === 1;
    return this.python.workspace?.enter(either, isAlone)?.catch(() => null) ?? null;
  }

  /** Nobody waits for the end of Python: the caller is told first, and whoever is next has another interpreter. */
  async #cut(
    active: Active,
    { tool }: CallJob,
    running: RunningCall,
    tell: () => Promise<void>,
  ): Promise<void> {
    // A plain function hears nothing while it runs.
    const canReceive = tool.handler.kind !== 'function' && this.open;
    if (!canReceive) this.#condemn(active);
    else running.cancel();
    if (active.interrupt.signal.aborted || !canReceive) {
      await tell();
      return;
    }
    this.#closing += 1;
    const [over] = await Promise.all([endsInTime(running), tell()]);
    this.#closing -= 1;
    if (!over) this.#condemn(active);
  }

  /** Takes no further call; those that may be cut off are, the others are waited for. */
  #condemn(cause: Active): void {
    if (this.#condemned) return;
    this.#condemned = true;
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
    if (this.#condemned && this.#running.size === 0) this.python.dispose();
  }
}

function firstOf(
  cancel: AbortSignal,
  interrupt: AbortSignal,
  timeout: AbortSignal,
  running: RunningCall,
): Promise<Ended> {
  return new Promise((resolve) => {
    const done = new AbortController();
    const settle = (ended: Ended): void => {
      done.abort();
      resolve(ended);
    };
    const watch = (signal: AbortSignal, ended: Cut): void => {
      if (signal.aborted) settle(ended);
      else {
        signal.addEventListener(
          'abort',
          () => {
            settle(ended);
          },
          { once: true, signal: done.signal },
        );
      }
    };
    watch(cancel, 'cancelled');
    watch(interrupt, 'interrupted');
    watch(timeout, 'timeout');
    void running.outcome.then(settle);
  });
}

/** Whether the handler ended within its grace, however: an interpreter that is lost did not. */
async function endsInTime(running: RunningCall): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, graceMs, null);
  });
  const outcome = await Promise.race([running.outcome, late]);
  clearTimeout(timer);
  return outcome?.ok === true;
}
