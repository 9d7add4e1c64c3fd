/** Uses the value of a promise, unless it is no longer wanted when the promise resolves. */

/**
 * A rejection is not handled here, so the browser reports it in the console.
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
