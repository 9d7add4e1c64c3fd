/** Runs work in the next animation frame, also on a hidden page. */

export type Frames = Pick<
  Window,
  'requestAnimationFrame' | 'cancelAnimationFrame' | 'setTimeout' | 'clearTimeout'
>;

/** Longest wait for a frame, since a hidden page gets none; milliseconds. */
const longestWaitMs = 100;

/** Runs `then` once: in the next frame, or after {@link longestWaitMs} if there is none. */
export function nextFrame(page: Frames, then: () => void): void {
  const once = (): void => {
    page.cancelAnimationFrame(frame);
    page.clearTimeout(timer);
    then();
  };
  const frame = page.requestAnimationFrame(once);
  const timer = page.setTimeout(once, longestWaitMs);
}
