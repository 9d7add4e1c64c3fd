/** Asks a dedicated worker, which is started with the first question, and again after its death. */

import { wrap, type Remote } from 'comlink';
import { ToolError } from '../spec/error.ts';
import { wait, type WaitLimits } from './wait.ts';

export interface WorkerClientOptions {
  /** An `error` event of the worker means that it has died. */
  readonly start: () => Worker;
  /** The error of all questions that wait when the worker dies, or when it is ended because another question is late. */
  readonly died: () => Error;
  /** The error of a question that misses its deadline. Default: the timeout itself. */
  readonly late?: (timeout: ToolError) => Error;
}

export class WorkerClient<T> {
  readonly #options: WorkerClientOptions;
  #running: RunningWorker<T> | null = null;

  constructor(options: WorkerClientOptions) {
    this.#options = options;
  }

  /** The running worker; starts one if there is none. */
  connect(): RunningWorker<T> {
    if (this.#running === null || this.#running.lost.aborted)
      this.#running = new RunningWorker(this.#options);
    return this.#running;
  }

  /** Ends the worker, if one runs. */
  end(): void {
    this.#running?.end(this.#options.died());
  }
}

/** Asks a worker one question, and ends it. */
export async function askOnce<T, Answer>(
  signal: AbortSignal,
  options: WorkerClientOptions,
  question: (remote: Remote<T>) => Promise<Answer>,
  limits: WaitLimits,
): Promise<Answer> {
  signal.throwIfAborted();
  const client = new WorkerClient<T>(options);
  try {
    const worker = client.connect();
    return await worker.ask(signal, question(worker.remote), limits);
  } finally {
    client.end();
  }
}

/** A worker until its death. */
export class RunningWorker<T> {
  readonly remote: Remote<T>;
  readonly #options: WorkerClientOptions;
  readonly #worker: Worker;
  readonly #lost = new AbortController();

  constructor(options: WorkerClientOptions) {
    this.#options = options;
    this.#worker = options.start();
    this.remote = wrap<T>(this.#worker);
    this.#worker.addEventListener('error', () => this.end(options.died()));
  }

  /** Aborts with the reason when the worker is lost. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /**
   * Waits for an answer of {@link remote}. An abort leaves the worker running.
   * @param limits a worker that misses the deadline is terminated, and all its other questions reject
   */
  async ask<Answer>(
    signal: AbortSignal,
    answer: Promise<Answer>,
    limits: WaitLimits = {},
  ): Promise<Answer> {
    try {
      return await wait(signal, answer, { ...limits, lost: this.lost });
    } catch (thrown) {
      if (!(thrown instanceof ToolError) || thrown.code !== 'timeout') throw thrown;
      this.end(this.#options.died());
      throw this.#options.late?.(thrown) ?? thrown;
    }
  }

  /** Terminates the worker; its questions reject with the reason. */
  end(reason: Error): void {
    this.#worker.terminate();
    this.#lost.abort(reason);
  }
}
