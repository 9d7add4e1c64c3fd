/** Uses what a promise resolves with, unless that comes too late. */

/**
 * @param use returns how to end what it has begun, if anything
 * @returns ends it; then `use` is not called any more
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
