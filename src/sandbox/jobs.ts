/** What waits for an interpreter and then runs in it: calls and other work, in order of arrival. */

import type { OpenHost } from '../call/call-host.ts';
import type { RunWatch } from '../spec/dispatch.ts';
import type { ToolCall } from '../spec/call.ts';
import type { ToolError } from '../spec/error.ts';
import type { ToolResult } from '../spec/result.ts';
import type { RegisteredTool } from '../spec/tool.ts';
import type { FolderPython } from './interpreter.ts';

/** A call. */
export interface CallJob {
  readonly kind: 'call';
  /** Ends it as `cancelled`. */
  readonly signal: AbortSignal;
  readonly tool: RegisteredTool;
  readonly call: ToolCall;
  readonly watch: RunWatch;
  /** Asked as the call starts. */
  readonly openHost: OpenHost;
  /** Only the first result counts. */
  tell(result: ToolResult): void;
}

/** Anything else: it has the interpreter for itself, unless it may run beside calls. */
export interface WorkJob {
  readonly kind: 'work';
  readonly signal: AbortSignal;
  /** What the person is told that the interpreter is busy with. */
  readonly what: string;
  /** It need not wait for the calls that run or are queued: no code of a tool runs for it. */
  readonly beside?: boolean;
  /**
   * @param isAlone nothing else runs in the interpreter
   * @returns whether the interpreter can be used on; never rejects
   */
  run(python: FolderPython, isAlone: () => boolean): Promise<boolean>;
  /** It will not run. */
  refuse(error: ToolError): void;
}

export type Job = CallJob | WorkJob;

/** Holds waiting jobs. A job that is removed leaves no listener behind. */
export class JobQueue {
  readonly #onCancelled: (job: Job) => void;
  /** With what aborts when they leave: a signal that outlives a job must not keep it, nor the files that it may bring. */
  readonly #waiting = new Map<Job, AbortController>();

  /** @param onCancelled told of a job that has left because its signal has aborted */
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
    return [...this.#waiting.keys()].at(-1);
  }

  add(job: Job): void {
    const left = new AbortController();
    const cancelled = (): void => {
      this.remove(job);
      this.#onCancelled(job);
    };
    job.signal.addEventListener('abort', cancelled, { signal: left.signal });
    this.#waiting.set(job, left);
  }

  remove(job: Job): void {
    this.#waiting.get(job)?.abort();
    this.#waiting.delete(job);
  }

  find(accepts: (job: Job) => boolean): Job | undefined {
    for (const job of this.#waiting.keys()) if (accepts(job)) return job;
    return undefined;
  }

  /** Takes all of them out. */
  drain(): Job[] {
    const jobs = [...this.#waiting.keys()];
    for (const job of jobs) this.remove(job);
    return jobs;
  }
}
