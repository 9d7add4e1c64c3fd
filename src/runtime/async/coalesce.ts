/** Coalesces bursts of requests: the same work runs a few times, not once per request. */

export interface Coalesced {
  /** Requests a run; one run serves all requests made before it. */
  (): void;
  /** Runs at once, even in the middle of an interval, and begins a new one. */
  now(): void;
  /** Drops a run that was requested and has not begun. */
  cancel(): void;
}

/** Runs `work` at once on the first request, then at most once every `ms` milliseconds. */
export function coalesce(work: () => void, ms: number): Coalesced {
  // A timer, since a hidden page gets no animation frames.
  let timer: ReturnType<typeof setTimeout> | undefined;
  let requested = false;
  const run = (): void => {
    timer = undefined;
    if (!requested) return;
    requested = false;
    timer = setTimeout(run, ms);
    work();
  };
  const request = (): void => {
    requested = true;
    if (timer === undefined) run();
  };
  const cancel = (): void => {
    clearTimeout(timer);
    timer = undefined;
    requested = false;
  };
  const now = (): void => {
    cancel();
    request();
  };
  return Object.assign(request, { now, cancel });
}
