/** The one place where a request into the sandbox meets all that can happen to it. */

import { ToolError } from '../spec/error.ts';

/**
 * Waits for a reply, unless the signal, the loss of the other side, or the deadline comes first.
 *
 * @param lost rejects when the other side is gone; never resolves
 * @param deadlineMs Infinity for none
 * @throws {ToolError} `aborted` or `timeout`, or what `lost` rejects with
 */
export function race<T>(
  signal: AbortSignal,
  reply: Promise<T>,
  lost: Promise<never>,
  deadlineMs: number,
  what: string,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      finish();
      reject(new ToolError('aborted', `${what} was cancelled`));
    };
    const timer = Number.isFinite(deadlineMs)
      ? setTimeout(() => {
          finish();
          reject(new ToolError('timeout', `${what} took longer than ${deadlineMs / 1000} s`));
        }, deadlineMs)
      : undefined;
    const finish = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    };
    if (signal.aborted) {
      onAbort();
      return;
    }
    signal.addEventListener('abort', onAbort);
    Promise.race([reply, lost]).then(
      (value) => {
        finish();
        resolve(value);
      },
      (thrown: unknown) => {
        finish();
        reject(thrown instanceof Error ? thrown : new Error(String(thrown)));
      },
    );
  });
}
