/** Runs work once the page is idle, so that it delays nothing that the user waits for. */

const timeoutMs = 2_000;
/** Delay in browsers without `requestIdleCallback`. */
const waitMs = 300;

/** @returns a function after which the work is not begun */
export function onIdle(work: () => void): () => void {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(work, waitMs);
    return () => clearTimeout(timer);
  }
  const idle = requestIdleCallback(work, { timeout: timeoutMs });
  return () => cancelIdleCallback(idle);
}
