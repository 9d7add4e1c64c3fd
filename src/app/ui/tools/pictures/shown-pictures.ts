/** Keeps the images of a page together below a limit, and draws one at a time. */

import { wait } from '../../../../runtime/async/wait.ts';

/** Limit of all images on the page, in shares of the limits of one, unless the user asks for more. */
const maxOnPage = 8;
/** The least share of any image, and of an animation, which is drawn again and again. */
const leastShare = 0.02;
const leastAnimated = 0.5;

export interface Share {
  /** The cost of the image, as a share of the limits of one image. */
  readonly cost: number;
  readonly animated: boolean;
}

export class ShownPictures {
  #taken = 0;
  #last: Promise<void> = Promise.resolve();

  /**
   * Takes a share of the page's limits.
   * @param options.isAsked whether the user has asked for this image
   * @returns a function that gives it back; null if the page has too many images to draw this one
   * unasked
   */
  take({ cost, animated }: Share, { isAsked }: { isAsked: boolean }): (() => void) | null {
    const share = Math.max(cost, animated ? leastAnimated : leastShare);
    if (!isAsked && this.#taken + share > maxOnPage) return null;
    this.#taken += share;
    let isGivenBack = false;
    return () => {
      if (!isGivenBack) this.#taken -= share;
      isGivenBack = true;
    };
  }

  /** Runs `draw` after all earlier ones. Rejects with the signal's reason if it aborts before. */
  async inTurn(signal: AbortSignal, draw: () => Promise<void>): Promise<void> {
    const before = this.#last;
    let done = (): void => {};
    const drawn = new Promise<void>((resolve) => (done = resolve));
    this.#last = before.then(() => drawn);
    try {
      await wait(signal, before);
      await draw();
    } finally {
      done();
    }
  }
}
