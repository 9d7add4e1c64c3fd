/** Processes many items, a few at a time. */

/** Returns results in the order of the items. After the first rejection, no further item is started. */
export async function inFlight<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  // The workers share this iterator: each takes the next item.
  const rest = items.entries();
  let failed = false;
  const runNext = async (): Promise<void> => {
    for (const [index, item] of rest) {
      if (failed) return;
      try {
        results[index] = await work(item, index);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, runNext));
  return results;
}
