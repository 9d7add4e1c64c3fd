/** How much of a long list is drawn: one more piece in each frame, so that no frame takes as long as the whole list. */

import { nextFrame } from '../../../runtime/async/pace.ts';

interface ListToDraw {
  readonly length: () => number;
  /** Number of items that are drawn in one frame. */
  readonly piece: () => number;
  /** Identifies the list: if this value changes, drawing begins again with the first piece. Default: always the same. */
  readonly of?: () => unknown;
}

export class GrowingCount {
  readonly #list: ListToDraw;
  /** The number of pieces that are drawn of the latest list. */
  #drawn: { readonly of: unknown; readonly pieces: number } = $state.raw({ of: null, pieces: 1 });

  /** Must be called while a component is being created, because it has an effect. */
  constructor(list: ListToDraw) {
    this.#list = list;
    $effect(() => {
      if (this.current >= list.length()) return;
      let isOver = false;
      nextFrame(window, () => {
        if (!isOver) this.grow();
      });
      return () => {
        isOver = true;
      };
    });
  }

  /** The number of items to draw, from the first one. */
  get current(): number {
    return Math.min(this.#list.length(), this.#pieces * this.#list.piece());
  }

  /** Draws one more piece. */
  grow(): void {
    this.#drawn = { of: this.#of, pieces: this.#pieces + 1 };
  }

  get #of(): unknown {
    return this.#list.of?.() ?? null;
  }

  get #pieces(): number {
    return this.#drawn.of === this.#of ? this.#drawn.pieces : 1;
  }
}
