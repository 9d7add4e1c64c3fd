/** Jobs that wait for their turn, in order of arrival. One that leaves, however, leaves nothing behind. */

import type { Job } from './job.ts';

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
