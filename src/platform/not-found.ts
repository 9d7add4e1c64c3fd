/** Files and folders that do not exist, as the browser's file systems report them. */

export function isMissing(thrown: unknown): boolean {
  return thrown instanceof DOMException && thrown.name === 'NotFoundError';
}

/** Does the work; succeeds also if what it needs does not exist. */
export async function ignoreMissing(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    if (!isMissing(thrown)) throw thrown;
  }
}
