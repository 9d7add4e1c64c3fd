/** One session's calls: their order, which of them overlap, and the interpreter that holds the session's state. */

import { ToolError } from '../spec/error.ts';
import type { InterpreterView } from '../spec/interpreter.ts';
import type { Limits } from '../spec/limits.ts';
import type { FolderFiles } from './folder-files.ts';
import type { FolderPython } from './interpreter.ts';
import type { CallJob, Job } from './jobs.ts';
import { JobQueue } from './jobs.ts';
import { startError } from './loss-error.ts';
import { endedBy } from './outcome.ts';
import { InterpreterSlot } from './interpreter-slot.ts';

export interface SessionQueueDeps {
  readonly limits: Limits;
  readonly files: Pick<FolderFiles, 'now' | 'bring'>;
  /** With the files as they are now. @throws {ToolError} */
  obtain(signal: AbortSignal): Promise<FolderPython>;
  /** The interpreter does not count as this session's any more. */
  writeOff(python: FolderPython): void;
  onChange(): void;
}

export class SessionQueue {
  readonly sessionId: string;
  readonly #deps: SessionQueueDeps;
  readonly #life = new AbortController();
  readonly #queue: JobQueue;
  #slot: InterpreterSlot | null = null;
  /** The one before, while it is waited for. */
  #ending: InterpreterSlot | null = null;
  #obtaining = false;
  /** Whose callable is being asked. */
  #asked: Job | null = null;
  /** Their tool files have said no to an overlap. */
  readonly #alone = new WeakSet<Job>();
  /** Theirs have said yes. */
  readonly #safe = new WeakSet<Job>();
  /** They hand over changed files. */
  readonly #updates = new WeakSet<Job>();
  #stateLost = false;
  /** Files whose modules were imported anew after a change, with calls before. */
  readonly #reloaded = new Set<string>();
  #idleSince: number | null = performance.now();

  constructor(sessionId: string, deps: SessionQueueDeps) {
    this.sessionId = sessionId;
    this.#deps = deps;
    this.#queue = new JobQueue((job) => {
      this.#refuse(job);
      this.#go();
    });
  }

  /** When it last had something to do, by `performance.now()`; null while it has. */
  get idleSince(): number | null {
    return this.#idleSince;
  }

  /** It holds an interpreter that could be taken away. */
  get isReclaimable(): boolean {
    return this.#slot !== null && this.#idleSince !== null;
  }

  /** Takes a job; it runs when its turn has come, and hears of its end in any case. */
  add(job: Job): void {
    if (job.signal.aborted || this.#life.signal.aborted) {
      this.#refuse(job);
      return;
    }
    if (job.kind === 'work' && job.beside === true && this.#slot?.open && this.#slot.runsCallsOnly)
      void this.#slot.run(job, true);
    else this.#queue.add(job);
    this.#go();
  }

  /** Hands over the first call that waits and could run anywhere; it still ends with the session. */
  takeStateless(): CallJob | null {
    const job = this.#queue.find((one) => this.#isStateless(one));
    if (job?.kind !== 'call') return null;
    this.#queue.remove(job);
    return { ...job, signal: AbortSignal.any([job.signal, this.#life.signal]) };
  }

  get hasStateless(): boolean {
    return this.#queue.find((job) => this.#isStateless(job)) !== undefined;
  }

  /** Files have changed: what was loaded of them goes, between the calls that were asked for before and those after. */
  update(): void {
    // One that is still to come is given the files as they are then.
    if (this.#slot === null) return;
    const { files } = this.#deps;
    const { signal } = this.#life;
    const to = files.now;
    const run = async (python: FolderPython): Promise<boolean> => {
      const ran = [...(this.#slot?.ran ?? [])];
      try {
        const dropped = await files.bring(signal, python, to);
        for (const file of ran) if (dropped.has(file)) this.#reloaded.add(file);
        return true;
      } catch {
        return false;
      }
    };
    const last = this.#queue.last;
    // No call lies between: the newer files are all that it takes.
    if (last && this.#updates.has(last)) this.#queue.remove(last);
    const job: Job = { kind: 'work', signal, what: 'changed files', run, refuse: () => undefined };
    this.#updates.add(job);
    this.add(job);
  }

  /** Takes the interpreter away from a session that does nothing; its next result says that state was lost. */
  reclaim(): void {
    this.#slot?.dispose();
    this.#detach();
    this.#deps.onChange();
  }

  /** Ends everything: calls end as cancelled. */
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

  /** Starts what may start, in order: nothing overtakes the first of the queue. */
  #go(): void {
    if (this.#life.signal.aborted) return;
    if (this.#slot?.open === false) this.#detach();
    if (this.#ending?.python.alive === false) this.#ending = null;
    for (let head = this.#queue.first; head; head = this.#queue.first) {
      if (!this.#slot) void this.#obtain();
      if (!this.#slot?.takes || this.#asked !== null) break;
      const way = this.#wayOf(head, this.#slot);
      if (way === 'wait') break;
      if (way === 'ask') {
        if (head.kind === 'call') void this.#ask(head, this.#slot);
        break;
      }
      this.#queue.remove(head);
      void this.#slot.run(head, way === 'overlap');
    }
    const isIdle = this.#queue.size === 0 && this.#slot?.free !== false;
    this.#idleSince = isIdle ? (this.#idleSince ?? performance.now()) : null;
    this.#deps.onChange();
  }

  #wayOf(job: Job, slot: InterpreterSlot): 'alone' | 'overlap' | 'ask' | 'wait' {
    const safe = this.#isSafe(job);
    if (safe === false) return slot.free ? 'alone' : 'wait';
    if (!slot.allowsOverlap) return 'wait';
    return safe === true ? 'overlap' : 'ask';
  }

  /** Calls without a session go one at a time; of the others, asynchronous ones overlap if their tool allows it. */
  #isSafe(job: Job): boolean | 'callable' {
    if (job.kind !== 'call' || this.sessionId === '') return false;
    if (this.#alone.has(job)) return false;
    if (this.#safe.has(job)) return true;
    const { handler, concurrency_safe: safe } = job.tool;
    return handler.kind === 'async' || handler.kind === 'async-generator' ? safe : false;
  }

  #isStateless(job: Job): boolean {
    const fansOut = job.kind === 'call' && job.tool.stateless && this.sessionId !== '';
    return fansOut && job !== this.#asked;
  }

  /** Its turn has come, and whether it lasts beside others is for the tool file to say. */
  async #ask(job: CallJob, slot: InterpreterSlot): Promise<void> {
    this.#asked = job;
    const overlaps = await slot.python.mayOverlap(job.signal, job.tool, job.call.arguments);
    this.#asked = null;
    (overlaps ? this.#safe : this.#alone).add(job);
    this.#go();
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
    this.#go();
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
      onChange: () => {
        this.#go();
      },
    });
  }

  /** The interpreter takes no more calls: those that wait move to the next one. */
  #detach(): void {
    const slot = this.#slot;
    if (slot === null) return;
    this.#slot = null;
    if (slot.ran.size > 0) this.#stateLost = true;
    this.#deps.writeOff(slot.python);
    // One at a time is waited for: or a tool could keep any number of them.
    this.#ending?.end();
    this.#ending = slot;
  }

  #refuse(job: Job): void {
    if (job.kind === 'call') job.tell(endedBy('cancelled', null, this.#facts(job)));
    else job.refuse(new ToolError('aborted', 'Waiting for Python was cancelled'));
  }

  #fail(job: Job, thrown: unknown): void {
    const error = startError(thrown);
    if (job.kind === 'call') job.tell(endedBy('crashed', null, this.#facts(job), error.message));
    else job.refuse(error);
  }

  #facts({ tool }: CallJob): Parameters<typeof endedBy>[2] {
    return {
      tool: tool.name,
      durationMs: 0,
      interpreter: '',
      stateLost: this.hasLost(tool.source.file),
    };
  }

  /** Results of tools of this file say that Python state was lost. */
  hasLost(file: string): boolean {
    return this.#stateLost || this.#reloaded.has(file);
  }
}

export class StatelessTurns {
  /** Where the next one is looked for first. */
  #turn = 0;

  /** @param sessionId whose calls alone count; null: those of all */
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
