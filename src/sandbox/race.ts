/** The one place where a request into the sandbox meets all that can happen to it. */

import { ToolError } from '../spec/error.ts';
import { patientTimeout } from './patient-timer.ts';

/**
 * Waits for a reply, unless the signal, the loss of the other side, or the deadline comes first.
 *
 * @param lost aborts when the other side is gone; its reason is why
 * @param deadlineMs Infinity for none
 * @throws {ToolError} `aborted` or `timeout`, or why the other side is lost
 */
export function race<T>(
  signal: AbortSignal,
  reply: Promise<T>,
  lost: AbortSignal,
  deadlineMs: number,
  what: string,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      finish();
      reject(new ToolError('aborted', `${what} was cancelled`));
    };
    const onLost = (): void => {
      finish();
      reject(asError(lost.reason));
    };
    const cancelDeadline = Number.isFinite(deadlineMs)
      ? patientTimeout(deadlineMs, () => {
          finish();
          reject(new ToolError('timeout', `${what} took longer than ${deadlineMs / 1000} s`));
        })
      : undefined;
    // Not Promise.race: the other side lives long, and would keep every reply for as long as it does.
    const finish = (): void => {
      cancelDeadline?.();
      signal.removeEventListener('abort', onAbort);
      lost.removeEventListener('abort', onLost);
    };
    reply.then(
      (value) => {
        finish();
        resolve(value);
      },
      (thrown: unknown) => {
        finish();
        reject(asError(thrown));
      },
    );
    if (signal.aborted) onAbort();
    else if (lost.aborted) onLost();
    else {
      signal.addEventListener('abort', onAbort);
      lost.addEventListener('abort', onLost);
    }
  });
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
