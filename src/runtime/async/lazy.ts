/** Creates a value on first use. */

/** @returns a getter that calls `make` once; after a rejection, the next call tries again */
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
