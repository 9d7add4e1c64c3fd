/** Turns many signals in a row into few. */

export interface Coalesced {
  /** Asks for the work; it is done soon, once for all that ask meanwhile. */
  (): void;
  /** Forgets what was asked for. */
  cancel(): void;
}

/** Does `work` at once after a quiet time, and at most once in `ms` milliseconds under fire. */
export function coalesced(work: () => void, ms: number): Coalesced {
  // A timer, not an animation frame: those stand still while the page is hidden.
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = false;
  const due = (): void => {
    timer = undefined;
    if (!asked) return;
    asked = false;
    timer = setTimeout(due, ms);
    work();
  };
  const ask = (): void => {
    asked = true;
    if (timer === undefined) due();
  };
  const cancel = (): void => {
    clearTimeout(timer);
    timer = undefined;
    asked = false;
  };
  return Object.assign(ask, { cancel });
}
