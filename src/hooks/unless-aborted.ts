/** Waiting for others no longer than somebody wants to. */

/** The promise's outcome, or the signal's reason as soon as there is one. */
export function unlessAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      const { reason } = signal as { readonly reason: unknown };
      reject(reason instanceof Error ? reason : new Error(String(reason)));
    };
    if (signal.aborted) {
      // Nobody waits for it any more, so nobody else would catch it.
      promise.catch(() => undefined);
      abort();
      return;
    }
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', abort);
    });
  });
}
