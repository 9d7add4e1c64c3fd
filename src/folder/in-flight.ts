/** Work on many items, a few at a time. */

/** Results in the order of the items. The first rejection ends it: no further item is begun. */
export async function inFlight<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  // Shared by all lanes: each takes the next item that no other has taken.
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
