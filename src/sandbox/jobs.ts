/** Jobs that wait for an interpreter and then run in it: calls, with the results that end them, and other work. */

import type { OpenHost } from '../call/call-host.ts';
import type { RunWatch } from '../spec/dispatch.ts';
import type { ToolCall } from '../spec/call.ts';
import type { ToolError } from '../spec/error.ts';
import type { ToolResult, ContentPart, Ending } from '../spec/result.ts';
import type { RegisteredTool } from '../spec/tool.ts';
import type { FolderPython } from './interpreter.ts';
import type { PythonOutcome, Streamed } from '../protocol/frame.ts';
import { endingText, failure } from '../call/results.ts';

export interface CallJob {
  readonly kind: 'call';
  /** Ends the call as `cancelled`. */
  readonly signal: AbortSignal;
  readonly tool: RegisteredTool;
  readonly call: ToolCall;
  readonly watch: RunWatch;
  /** Opens the host when the call starts. */
  readonly openHost: OpenHost;
  /** Ends the job with a result. Only the first one counts. */
  settle(result: ToolResult): void;
}

/** Any other work. It has the interpreter to itself unless `beside` is true. */
export interface WorkJob {
  readonly kind: 'work';
  readonly signal: AbortSignal;
  /** What the interpreter is shown to be busy with. */
  readonly what: string;
  /** It may start while calls run or wait, because it runs no tool code. */
  readonly beside?: boolean;
  /**
   * @param isAlone whether nothing else runs in the interpreter
   * @returns whether the interpreter can still be used; never rejects
   */
  run(python: FolderPython, isAlone: () => boolean): Promise<boolean>;
  /** Called instead of `run` if the work will not run. */
  refuse(error: ToolError): void;
}

export type Job = CallJob | WorkJob;

/** Holds queued jobs. */
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
    return [...this.#waiting.keys()].at(-1);
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

  /** Removes and returns all jobs. */
  drain(): Job[] {
    const jobs = [...this.#waiting.keys()];
    for (const job of jobs) this.remove(job);
    return jobs;
  }
}

/** What the page knows about a run. */
export interface RunFacts extends Pick<
  ToolResult,
  'durationMs' | 'interpreter' | 'stateLost' | 'workspace'
> {
  readonly tool: string;
}

/** Turns Python's outcome of a call into the result that callers receive. */
export function toResult(outcome: PythonOutcome, { tool: _, ...facts }: RunFacts): ToolResult {
  const { ok, content, metadata, recoverable, traceback, frames, error } = outcome;
  const { streamed, message } = outcome;
  return {
    resultType: ok ? 'success' : 'failure',
    textResultForLlm: ok ? textOf(content) : (message ?? error ?? ''),
    ...(ok ? {} : { error: error ?? 'Error' }),
    ...(traceback === undefined ? {} : { traceback }),
    ...(frames === undefined ? {} : { frames }),
    content,
    isError: !ok,
    recoverable,
    metadata,
    ...streamed,
    ...facts,
  };
}

/** The result of a call that was ended, with what it had streamed so far. */
export function endedBy(
  ending: Ending,
  streamed: Streamed | null,
  facts: RunFacts,
  detail = '',
): ToolResult {
  const { tool, ...rest } = facts;
  const details = [detail, rest.workspace?.trouble ?? ''].filter((words) => words !== '').join(' ');
  return failure(ending, endingText(ending, tool, details), { ...streamed, ...rest });
}

/** Joins the parts into one text for a model. Binary parts are described by type and size. */
function textOf(content: readonly ContentPart[]): string {
  const [only] = content;
  if (content.length === 1 && only && 'text' in only) return only.text;
  return content.map(partText).join('\n');
}

function partText(part: ContentPart): string {
  if ('text' in part) return part.text;
  const bytes =
    Math.floor((part.data.length * 3) / 4) - (/=*$/.exec(part.data.slice(-2))?.[0].length ?? 0);
  return `[${part.mediaType}, ${bytes} bytes]`;
}
