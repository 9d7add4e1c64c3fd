/** Spreads updates of the page over time, so that drawing leaves time for the work that is shown. */

import { nextFrame, type Frames } from './next-frame.ts';
import { nextTask } from './pace.ts';

/** The pause after an update, as a multiple of the time that the update took, so that drawing slows a turn less. */
const restShare = 4;
/** Longest pause; milliseconds. */
const longestRestMs = 150;

/**
 * Returns a function that runs `then` in the next frame, or some time after an update that took long to draw.
 *
 * @param now milliseconds
 */
export function pacedFrames(
  page: Frames,
  now = () => performance.now(),
): (then: () => void) => void {
  let restEnds = -Infinity;
  const draw = (then: () => void): void => {
    nextFrame(page, () => {
      const began = now();
      then();
      // The task after this one, before which the browser has drawn.
      void nextTask().then(() => {
        const ended = now();
        restEnds = ended + Math.min(longestRestMs, restShare * (ended - began));
      });
    });
  };
  return (then) => {
    const rest = restEnds - now();
    if (rest <= 0) draw(then);
    else page.setTimeout(draw, rest, then);
  };
}
