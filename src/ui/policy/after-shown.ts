/** Waits until something has been in view for a while. */

export interface ShownEffects {
  /** Before the next paint; a hidden page has none. */
  readonly frame: (then: () => void) => number;
  readonly cancelFrame: (frame: number) => void;
}

/** @returns calls it off */
export function afterShown(
  ms: number,
  then: () => void,
  { frame, cancelFrame }: ShownEffects = {
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
