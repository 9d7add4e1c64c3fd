/** Defers work, and does it once for all requests made in the meantime. */

/**
 * Runs `work` later, once for all requests made until then.
 *
 * @param later schedules the run, such as `queueMicrotask`; or a delay in milliseconds
 */
export function defer(work: () => void, later: ((then: () => void) => void) | number): () => void {
  let scheduled = false;
  const run = (): void => {
    scheduled = false;
    work();
  };
  return () => {
    if (scheduled) return;
    scheduled = true;
    if (typeof later === 'number') setTimeout(run, later);
    else later(run);
  };
}
