/** Waiting for the file system no longer than the person wants to. */

import { ToolError } from '../spec/error.ts';

/** The promise's outcome, or {@link readingStopped} as soon as the signal says so. */
export function untilAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(readingStopped());
    if (signal.aborted) {
      // Nobody waits for it any more, so nobody else would catch it.
      promise.catch(() => undefined);
      stop();
      return;
    }
    signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

export function readingStopped(): ToolError {
  return new ToolError(
    'aborted',
    'Reading the folder was stopped.',
    'Open the folder again to read it whole.',
  );
}
