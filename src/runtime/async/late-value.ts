/** Values that arrive late: one is made on first use, another is used only if it is still wanted when it arrives. */

/** Makes a value on first use. @returns a getter that calls `make` once; after a rejection, the next call tries again */
export function lazy<T>(make: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | null = null;
  return () => {
    if (value !== null) return value;
    const attempt = make();
    attempt.catch(() => {
      if (value === attempt) value = null;
    });
    return (value = attempt);
  };
}

/**
 * Uses the value of a promise, unless it is no longer wanted when the promise resolves. A rejection is not handled here, so the browser reports it in the console.
 *
 * @param use may return a function that ends what it has begun
 * @returns a function that ends it; afterwards, `use` is not called
 */
export function whenReady<T>(
  promise: Promise<T>,
  use: (value: T) => (() => void) | undefined,
): () => void {
  let isOver = false;
  let end: (() => void) | undefined;
  void promise.then((value) => {
    if (!isOver) end = use(value);
  });
  return () => {
    isOver = true;
    end?.();
  };
}
