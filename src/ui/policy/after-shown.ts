/** Runs a callback once something has been visible for a while. */

export interface ShownDeps {
  /** Before the next paint; a hidden page has none. */
  readonly frame: (then: () => void) => number;
  readonly cancelFrame: (frame: number) => void;
}

/** @returns calls it off */
export function afterShown(
  ms: number,
  then: () => void,
  { frame, cancelFrame }: ShownDeps = {
    frame: (paint) => requestAnimationFrame(paint),
    cancelFrame: (asked) => {
      cancelAnimationFrame(asked);
    },
  },
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const asked = frame(() => {
    timer = setTimeout(then, ms);
  });
  return () => {
    cancelFrame(asked);
    clearTimeout(timer);
  };
}
