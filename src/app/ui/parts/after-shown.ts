/** Runs a callback once something has been visible for a while. */

export interface ShownDeps {
  /** Requests the next frame; a hidden page has none. */
  readonly frame: (then: () => void) => number;
  readonly cancelFrame: (frame: number) => void;
}

/** @returns cancel */
export function afterShown(
  ms: number,
  then: () => void,
  { frame, cancelFrame }: ShownDeps = {
    frame: (paint) => requestAnimationFrame(paint),
    cancelFrame: (frameId) => {
      cancelAnimationFrame(frameId);
    },
  },
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const frameId = frame(() => {
    // @mutant the delay of a guard begins when it is visible => timer = setTimeout(then, ms -> then(
    timer = setTimeout(then, ms);
  });
  return () => {
    cancelFrame(frameId);
    clearTimeout(timer);
  };
}
