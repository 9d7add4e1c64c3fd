/**
 * Queues one session's calls: their order, which of them overlap, and the interpreter that holds the session's state. A
 * slot is an interpreter with what runs in it; if it ends, the session gets another one, and its results say that Python
 * state was lost.
 */

import { ToolError } from '../spec/error.ts';
import type { InterpreterView } from '../spec/interpreter.ts';
import type { Limits } from '../spec/limits.ts';
import type { FolderFiles } from './folder-files.ts';
import type { FolderPython } from './interpreter.ts';
import { endedBy, type RunFacts } from './call-results.ts';
import { type CallJob, InterpreterSlot, type Job } from './interpreter-slot.ts';
import { startError } from '../protocol/frame.ts';

export interface SessionQueueDeps {
  readonly limits: Limits;
  readonly files: Pick<FolderFiles, 'now' | 'updateTo'>;
  /** Returns an interpreter with the current files. @throws {ToolError} */
  obtain(signal: AbortSignal): Promise<FolderPython>;
  /** Stops counting the interpreter as this session's. */
  writeOff(python: FolderPython): void;
  onChange(): void;
}

export class SessionQueue {
  readonly sessionId: string;
  readonly #deps: SessionQueueDeps;
  readonly #life = new AbortController();
  readonly #queue: JobQueue;
  #slot: InterpreterSlot | null = null;
  /** The previous slot, while its last calls finish. */
  #ending: InterpreterSlot | null = null;
  #obtaining = false;
  /** The call whose tool's `concurrency_safe` callable is asked now whether the call may overlap with others. */
  #asked: Job | null = null;
  /** Jobs whose callable did not allow an overlap. */
  readonly #alone = new WeakSet<Job>();
  /** Jobs whose callable allowed an overlap. */
  readonly #safe = new WeakSet<Job>();
  /** Jobs that copy changed files into the interpreter. */
  readonly #updates = new WeakSet<Job>();
  #stateLost = false;
  /** Files that were called before a change and whose modules were then imported again. */
  readonly #reloaded = new Set<string>();
  #idleSince: number | null = performance.now();

  constructor(sessionId: string, deps: SessionQueueDeps) {
    this.sessionId = sessionId;
    this.#deps = deps;
    this.#queue = new JobQueue((job) => {
      this.#refuse(job);
      this.#startJobs();
    });
  }

  /** When the session became idle, by `performance.now()`; null while it is busy. */
  get idleSince(): number | null {
    return this.#idleSince;
  }

  /** Whether the session is idle and holds an interpreter. */
  get isReclaimable(): boolean {
    return this.#slot !== null && this.#idleSince !== null;
  }

  /** Whether the interpreter may hold Python state that was left by a call, or by a question about its approval. */
  get hasState(): boolean {
    return (this.#slot?.calledFiles.size ?? 0) > 0;
  }

  /** Whether the interpreter does nothing but wait for the user's answer. */
  get isHeld(): boolean {
    return this.#slot?.isHeld === true;
  }

  /** Adds a job. It runs when its turn comes, and always gets a result or an error. */
  add(job: Job): void {
    if (job.signal.aborted || this.#life.signal.aborted) {
      this.#refuse(job);
      return;
    }
    const slot = this.#slot;
    const isBeside = job.kind === 'work' && job.beside === true;
    if (isBeside && slot?.takesWorkBeside === true) void slot.run(job, { overlaps: true });
    else this.#queue.add(job);
    this.#startJobs();
    // @mutant a queued call can be cancelled => removed [src/runtime/sandbox/queue-rules.test.ts]
    this.#queue.watch(job);
  }

  /** Removes and returns the first queued stateless call, or null. The end of the session still cancels it. */
  takeStateless(): CallJob | null {
    const job = this.#queue.find((queued) => this.#isStateless(queued));
    if (job?.kind !== 'call') return null;
    this.#queue.remove(job);
    return { ...job, signal: AbortSignal.any([job.signal, this.#life.signal]) };
  }

  /** Removes and returns the queued jobs that another interpreter can do. */
  takeQueued(): Job[] {
    const jobs = this.#queue.all.filter((job) => !this.#updates.has(job));
    for (const job of jobs) this.#queue.remove(job);
    return jobs;
  }

  get hasStateless(): boolean {
    return this.#queue.find((job) => this.#isStateless(job)) !== undefined;
  }

  /** Updates the interpreter after files have changed: after the calls queued before, and before later ones. */
  update(): void {
    // A new interpreter starts with the current files.
    if (this.#slot === null) return;
    const { files } = this.#deps;
    const { signal } = this.#life;
    const version = files.now;
    const run = async (python: FolderPython): Promise<boolean> => {
      const calledFiles = [...(this.#slot?.calledFiles ?? [])];
      try {
        const dropped = await files.updateTo(signal, python, version);
        for (const file of calledFiles) if (dropped.has(file)) this.#reloaded.add(file);
        return true;
      } catch {
        return false;
      }
    };
    const last = this.#queue.last;
    // No call lies between the two updates, so the newer one is enough.
    if (last && this.#updates.has(last)) this.#queue.remove(last);
    // Nobody waits for this job. If it cannot run, the next interpreter has the files.
    const job: Job = { kind: 'work', signal, what: 'changed files', run, refuse: () => undefined };
    this.#updates.add(job);
    this.add(job);
  }

  /** Ends the interpreter of an idle session. The session's next result reports the lost state. */
  reclaim(): void {
    this.#slot?.dispose();
    this.#detach();
    this.#deps.onChange();
  }

  /** Ends the session: its calls end as cancelled. */
  dispose(): void {
    this.#life.abort();
    for (const job of this.#queue.drain()) this.#refuse(job);
    this.#slot?.dispose();
    this.#ending?.dispose();
  }

  views(): InterpreterView[] {
    const { sessionId } = this;
    const shared = { role: 'session', sessionId, stateLost: this.#stateLost } as const;
    const waiting = this.#queue.size;
    const views: InterpreterView[] = [];
    if (this.#slot) {
      const { python, free, busyWith } = this.#slot;
      views.push({
        ...shared,
        name: python.name,
        state: free ? 'ready' : 'busy',
        busyWith,
        waiting,
      });
    } else if (this.#obtaining) {
      views.push({ ...shared, name: '', state: 'starting', busyWith: [], waiting });
    }
    if (this.#ending) {
      const { python, busyWith } = this.#ending;
      views.push({ ...shared, name: python.name, state: 'ending', busyWith, waiting: 0 });
    }
    return views;
  }

  /** Starts jobs in order. No job overtakes the first of the queue. */
  #startJobs(): void {
    if (this.#life.signal.aborted) return;
    if (this.#slot?.open === false) this.#detach();
    if (this.#ending?.python.alive === false) this.#ending = null;
    for (let head = this.#queue.first; head; head = this.#queue.first) {
      if (!this.#slot) void this.#obtain();
      if (!this.#slot?.canStart || this.#asked !== null) break;
      const mode = this.#modeOf(head, this.#slot);
      if (mode === 'wait') break;
      if (mode === 'ask') {
        if (head.kind === 'call') void this.#ask(head, this.#slot);
        break;
      }
      this.#queue.remove(head);
      void this.#slot.run(head, { overlaps: mode === 'overlap' });
    }
    const isIdle = this.#queue.size === 0 && this.#slot?.free !== false;
    this.#idleSince = isIdle ? (this.#idleSince ?? performance.now()) : null;
    this.#deps.onChange();
  }

  #modeOf(job: Job, slot: InterpreterSlot): 'alone' | 'overlap' | 'ask' | 'wait' {
    const overlap = this.#overlapOf(job);
    // @mutant one plain function at a time => slot.free ? 'alone' : 'wait' -> 'overlap'
    //   [src/runtime/sandbox/queue-rules.test.ts]
    if (overlap === 'never') return slot.free ? 'alone' : 'wait';
    if (!slot.allowsOverlap) return 'wait';
    return overlap === 'always' ? 'overlap' : 'ask';
  }

  /** When a job may overlap with others: `callable` if its tool decides. Calls without a session run one at a time. */
  #overlapOf(job: Job): 'never' | 'always' | 'callable' {
    if (job.kind !== 'call' || this.sessionId === '' || this.#alone.has(job)) return 'never';
    if (this.#safe.has(job)) return 'always';
    const { handler, concurrency_safe: safe } = job.tool;
    const isAsync = handler.kind === 'async' || handler.kind === 'async-generator';
    if (!isAsync || safe === false) return 'never';
    return safe === true ? 'always' : 'callable';
  }

  #isStateless(job: Job): boolean {
    const fansOut = job.kind === 'call' && job.tool.stateless && this.sessionId !== '';
    return fansOut && job !== this.#asked;
  }

  /** Asks the tool's callable whether the first job of the queue may overlap. */
  async #ask(job: CallJob, slot: InterpreterSlot): Promise<void> {
    this.#asked = job;
    const overlaps = await slot.python.mayOverlap(job.signal, job.tool, job.call.arguments);
    this.#asked = null;
    (overlaps ? this.#safe : this.#alone).add(job);
    this.#startJobs();
  }

  async #obtain(): Promise<void> {
    if (this.#obtaining) return;
    this.#obtaining = true;
    try {
      const python = await this.#deps.obtain(this.#life.signal);
      this.#obtaining = false;
      this.#use(python);
    } catch (thrown) {
      this.#obtaining = false;
      const job = this.#queue.first;
      if (job) {
        this.#queue.remove(job);
        this.#fail(job, thrown);
      }
    }
    this.#startJobs();
  }

  #use(python: FolderPython): void {
    if (this.#life.signal.aborted) {
      python.dispose();
      return;
    }
    this.#idleSince = null;
    this.#slot = new InterpreterSlot(python, {
      limits: this.#deps.limits,
      stateLost: (file) => this.hasLost(file),
      isStopped: () => this.#life.signal.aborted,
      onChange: () => this.#startJobs(),
    });
  }

  /** Gives up the interpreter, which accepts no more calls. Queued calls go to the next one. */
  #detach(): void {
    const slot = this.#slot;
    if (slot === null) return;
    this.#slot = null;
    if (slot.calledFiles.size > 0) this.#stateLost = true;
    this.#deps.writeOff(slot.python);
    // Only one ending interpreter is allowed; otherwise a tool could occupy any number of them.
    this.#ending?.end();
    this.#ending = slot;
  }

  #refuse(job: Job): void {
    if (job.kind === 'call') job.settle(endedBy('cancelled', null, this.#facts(job)));
    else job.refuse(new ToolError('aborted', 'Waiting for Python was cancelled'));
  }

  #fail(job: Job, thrown: unknown): void {
    const error = startError(thrown);
    if (job.kind === 'call') job.settle(endedBy('crashed', null, this.#facts(job), error.message));
    else job.refuse(error);
  }

  #facts({ tool }: CallJob): RunFacts {
    return {
      tool: tool.name,
      durationMs: 0,
      interpreter: '',
      stateLost: this.hasLost(tool.source.file),
    };
  }

  /** Whether results of this file's tools report that Python state was lost. */
  hasLost(file: string): boolean {
    return this.#stateLost || this.#reloaded.has(file);
  }
}

/** Takes stateless calls from the queues in turn, so that no session waits for all calls of another one. */
export class StatelessTurns {
  /** Index of the queue to look at first. */
  #turn = 0;

  /** @param sessionId takes only this session's calls; null means any session's */
  next(
    queues: readonly Pick<SessionQueue, 'sessionId' | 'takeStateless'>[],
    sessionId: string | null,
  ): CallJob | null {
    for (let n = 0; n < queues.length; n += 1) {
      const at = (this.#turn + n) % queues.length;
      const queue = queues[at];
      if (sessionId !== null && queue?.sessionId !== sessionId) continue;
      const job = queue?.takeStateless();
      if (!job) continue;
      this.#turn = at + 1;
      return job;
    }
    return null;
  }
}

/** Holds queued jobs, in order of arrival. */
export class JobQueue {
  readonly #onCancelled: (job: Job) => void;
  /**
   * Each job with its abort listener, which is removed when the job leaves: a long-lived signal must not keep a job
   * and its files in memory. Null until the job is watched.
   */
  readonly #waiting = new Map<Job, (() => void) | null>();

  /** @param onCancelled called after a job was removed because its signal aborted */
  constructor(onCancelled: (job: Job) => void) {
    this.#onCancelled = onCancelled;
  }

  get size(): number {
    return this.#waiting.size;
  }

  get first(): Job | undefined {
    return this.#waiting.keys().next().value;
  }

  get last(): Job | undefined {
    return this.all.at(-1);
  }

  get all(): readonly Job[] {
    return [...this.#waiting.keys()];
  }

  /** Adds a job, which must be watched if it does not leave at once. */
  add(job: Job): void {
    this.#waiting.set(job, null);
  }

  /** Removes the job when its signal aborts. Does nothing if the job has left. */
  watch(job: Job): void {
    if (!this.#waiting.has(job)) return;
    const cancelled = (): void => {
      this.remove(job);
      this.#onCancelled(job);
    };
    this.#waiting.set(job, cancelled);
    job.signal.addEventListener('abort', cancelled);
    if (job.signal.aborted) cancelled();
  }

  remove(job: Job): void {
    const cancelled = this.#waiting.get(job);
    if (cancelled) job.signal.removeEventListener('abort', cancelled);
    this.#waiting.delete(job);
  }

  find(accepts: (job: Job) => boolean): Job | undefined {
    for (const job of this.#waiting.keys()) if (accepts(job)) return job;
    return undefined;
  }

  drain(): Job[] {
    const jobs = [...this.all];
    for (const job of jobs) this.remove(job);
    return jobs;
  }
}
