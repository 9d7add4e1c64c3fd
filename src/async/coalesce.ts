/** Turns many requests in a row into few runs of the same work. */

export interface Coalesced {
  /** Asks for the work; one run serves all requests until then. */
  (): void;
  /** Forgets what was asked for. */
  cancel(): void;
}

/** Does `work` at once after a quiet time, and at most once in `ms` milliseconds under fire. */
export function coalesced(work: () => void, ms: number): Coalesced {
  // A timer, not an animation frame: those stand still while the page is hidden.
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = false;
  const scheduled = (): void => {
    timer = undefined;
    if (!asked) return;
    asked = false;
    timer = setTimeout(scheduled, ms);
    work();
  };
  const ask = (): void => {
    asked = true;
    if (timer === undefined) scheduled();
  };
  const cancel = (): void => {
    clearTimeout(timer);
    timer = undefined;
    asked = false;
  };
  return Object.assign(ask, { cancel });
}

/**
 * Does `work` once for all requests that come before `later` runs what it was given.
 *
 * @param later such as `queueMicrotask`, or a number of milliseconds
 */
export function deferred(
  work: () => void,
  later: ((then: () => void) => void) | number,
): () => void {
  let scheduled = false;
  const then = (): void => {
    scheduled = false;
    work();
  };
  return () => {
    if (scheduled) return;
    scheduled = true;
    if (typeof later === 'number') setTimeout(then, later);
    else later(then);
  };
}
