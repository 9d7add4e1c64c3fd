/** Timers that forgive a page which was asleep. */

/** Lateness that a busy page explains; milliseconds. */
const busyMs = 2_000;
/** Lateness that a hidden page explains, whose timers browsers let fire once a minute; milliseconds. */
const hiddenMs = 70_000;

/**
 * Runs `then` in `ms` milliseconds, as `setTimeout` does, with one difference: a browser that froze the page and its
 * workers, or a computer that slept, lets every timer be due at once afterwards, though nobody had the time that ran
 * out. A timer that comes far too late therefore gives back the time by which it is late, its own time at most: once
 * where the lateness may have other reasons.
 *
 * @returns cancel
 */
export function patientTimeout(ms: number, then: () => void): () => void {
  let forgiven = false;
  let timer: ReturnType<typeof setTimeout>;
  const begin = (rest: number): void => {
    const planned = performance.now() + rest;
    timer = setTimeout(() => {
      const late = performance.now() - planned;
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
