/** Timeouts that do not count the time during which the page was frozen. */

/** Delay that a busy page can cause; milliseconds. */
const busyMs = 2_000;
/** Delay that a hidden page can cause, since browsers let its timers fire once a minute; milliseconds. */
const hiddenMs = 70_000;

/**
 * Runs `then` in `ms` milliseconds, as `setTimeout` does, but extends the time after a freeze.
 *
 * When a browser freezes the page and its workers, or the computer sleeps, all timers fire at once afterwards, although
 * no work could be done in that time. A timer that fires far too late therefore waits again, for the length of the
 * delay but at most `ms`. A delay that a hidden page can cause is forgiven only once.
 *
 * @returns cancel
 */
export function patientTimeout(ms: number, then: () => void): () => void {
  let forgiven = false;
  let timer: ReturnType<typeof setTimeout>;
  const begin = (rest: number): void => {
    const dueAt = performance.now() + rest;
    timer = setTimeout(() => {
      const late = performance.now() - dueAt;
      if (late < (forgiven ? hiddenMs : busyMs)) {
        then();
        return;
      }
      forgiven = true;
      begin(Math.min(ms, late));
    }, rest);
  };
  begin(ms);
  return () => {
    clearTimeout(timer);
  };
}
