/** Runs work with the next animation frame of the page. */

type Frames = Pick<
  Window,
  'requestAnimationFrame' | 'cancelAnimationFrame' | 'setTimeout' | 'clearTimeout'
>;

/** A hidden page draws no frames; milliseconds. */
const lateMs = 100;

/** Runs `then` once, with the next frame, or after {@link lateMs} where the page draws none. */
export function nextFrame(page: Frames, then: () => void): void {
  const once = (): void => {
    page.cancelAnimationFrame(frame);
    page.clearTimeout(timer);
    then();
  };
  const frame = page.requestAnimationFrame(once);
  const timer = page.setTimeout(once, lateMs);
}
