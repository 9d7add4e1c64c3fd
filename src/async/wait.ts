/** The one way to wait for a promise that others may end: an abort, a deadline, or the death of what would settle it. */

import { ToolError } from '../spec/error.ts';
import { patientTimeout } from './patient-timer.ts';

export interface WaitLimits {
  /** Aborts, with the reason, when what would settle the promise is gone. */
  readonly lost?: AbortSignal;
  /** Milliseconds. */
  readonly deadlineMs?: number;
  /** Subject of the messages about an abort or a deadline, such as `Starting Python`. */
  readonly what?: string;
  /** The error of an abort; by default one that names {@link what}, or the signal's reason where that is missing. */
  readonly onAbort?: () => Error;
}

/**
 * The promise's outcome, unless the signal, the loss of the other side, or the deadline comes first.
 *
 * @throws the error of the abort, the reason of the loss, or a {@link ToolError} `timeout`
 */
export function wait<T>(
  signal: AbortSignal,
  promise: Promise<T>,
  { lost, deadlineMs = Infinity, what, onAbort }: WaitLimits = {},
): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      finish();
      if (onAbort !== undefined) reject(onAbort());
      else if (what === undefined) reject(asError(signal.reason));
      else reject(new ToolError('aborted', `${what} was cancelled`));
    };
    const lose = (): void => {
      finish();
      reject(asError(lost?.reason));
    };
    const cancelDeadline = Number.isFinite(deadlineMs)
      ? patientTimeout(deadlineMs, () => {
          finish();
          reject(
            new ToolError('timeout', `${what ?? 'It'} took longer than ${deadlineMs / 1000} s`),
          );
        })
      : undefined;
    // Not Promise.race: a signal lives long, and would keep every promise for as long as it does.
    const finish = (): void => {
      cancelDeadline?.();
      signal.removeEventListener('abort', abort);
      lost?.removeEventListener('abort', lose);
    };
    promise.then(
      (value) => {
        finish();
        resolve(value);
      },
      (thrown: unknown) => {
        finish();
        reject(asError(thrown));
      },
    );
    if (signal.aborted) abort();
    else if (lost?.aborted === true) lose();
    else {
      signal.addEventListener('abort', abort);
      lost?.addEventListener('abort', lose);
    }
  });
}

/** Resolves after `ms` milliseconds. @throws the signal's reason */
export function pause(signal: AbortSignal, ms: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return wait(signal, over).finally(() => {
    clearTimeout(timer);
  });
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
