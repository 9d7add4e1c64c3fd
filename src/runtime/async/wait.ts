/** Waits for a promise, until an abort, a deadline or the loss of the other side ends the wait; for a time; or for a turn. */

import { ToolError } from '../spec/error.ts';
import { patientTimeout } from './timers.ts';

export interface WaitLimits {
  /** Aborts when the other side, which would settle the promise, is gone; its reason becomes the error. */
  readonly lost?: AbortSignal;
  /** Milliseconds. */
  readonly deadlineMs?: number;
  /** Subject of the error messages, such as `Starting Python`. */
  readonly what?: string;
  /** Makes the error of an abort. Default: a {@link ToolError} that names {@link what}, or without `what` the signal's reason. */
  readonly onAbort?: () => Error;
}

/**
 * Settles as the promise does, unless the signal, the loss of the other side, or the deadline comes first.
 *
 * @throws the abort's error, the loss's reason, or a {@link ToolError} `timeout`
 */
export function wait<T>(
  signal: AbortSignal,
  promise: Promise<T>,
  { lost, deadlineMs = Infinity, what, onAbort }: WaitLimits = {},
): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      stopWaiting();
      if (onAbort !== undefined) reject(onAbort());
      else if (what === undefined) reject(asError(signal.reason));
      else reject(new ToolError('aborted', `${what} was cancelled`));
    };
    const rejectLost = (): void => {
      stopWaiting();
      reject(asError(lost?.reason));
    };
    // @mutant a request that takes too long ends => Number.isFinite(deadlineMs) -> deadlineMs < 0
    const cancelDeadline = Number.isFinite(deadlineMs)
      ? patientTimeout(deadlineMs, () => {
          stopWaiting();
          reject(
            new ToolError('timeout', `${what ?? 'It'} took longer than ${deadlineMs / 1000} s`),
          );
        })
      : undefined;
    // `Promise.race` would hold every promise in memory as long as the signal lives.
    const stopWaiting = (): void => {
      cancelDeadline?.();
      signal.removeEventListener('abort', abort);
      lost?.removeEventListener('abort', rejectLost);
    };
    promise.then(
      (value) => {
        stopWaiting();
        resolve(value);
      },
      (thrown: unknown) => {
        stopWaiting();
        reject(asError(thrown));
      },
    );
    if (signal.aborted) abort();
    else if (lost?.aborted === true) rejectLost();
    else {
      // @mutant a request that is cancelled ends at once => removed
      signal.addEventListener('abort', abort);
      // @mutant a request ends with its interpreter => removed
      lost?.addEventListener('abort', rejectLost);
    }
  });
}

/** Resolves after `ms` milliseconds. @throws the signal's reason */
export function pause(signal: AbortSignal, ms: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return wait(signal, over).finally(() => clearTimeout(timer));
}

/** Returns what was thrown as an error. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** Limits how many callers run at once, and queues the others in order. */
export class Semaphore {
  readonly #max: number;
  readonly #maxWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  constructor(max: number, maxWaiting: number) {
    this.#max = max;
    this.#maxWaiting = maxWaiting;
  }

  /**
   * Waits for a turn.
   * @returns a function that gives the turn back; null if too many wait already
   * @throws the signal's reason
   */
  async take(signal: AbortSignal): Promise<(() => void) | null> {
    signal.throwIfAborted();
    if (this.#taken < this.#max) this.#taken += 1;
    else if (this.#waiting.length >= this.#maxWaiting) return null;
    else await this.#wait(signal);
    let isReturned = false;
    return () => {
      if (isReturned) return;
      isReturned = true;
      const next = this.#waiting.shift();
      if (next) next();
      else this.#taken -= 1;
    };
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const resume = (): void => {
        signal.removeEventListener('abort', cancel);
        resolve();
      };
      const cancel = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(resume), 1);
        reject(signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason)));
      };
      signal.addEventListener('abort', cancel, { once: true });
      this.#waiting.push(resume);
    });
  }
}
