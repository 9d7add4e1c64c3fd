/** Draws long texts and lists piece by piece, so that no frame takes as long as the whole. */

import { pieceChars, pieceLines, quickPieces } from './cut-text.ts';
import { spellOut, type VisibleText } from './visible-text.ts';
import { nextFrame } from '../../../runtime/async/pace.ts';

export type Pieces = (text: string) => Iterator<string, void>;

/** Reads a text: the first piece at once, and one more with each step. */
export class PieceReader {
  readonly #rest: Iterator<string, void>;
  shown: readonly VisibleText[] = $state.raw([]);
  /** Whether the whole text is shown. */
  ended: boolean = $state(false);
  #wanted: boolean = $state(false);

  /** Starts with the first piece; a text that is no longer than one piece is complete at once. */
  constructor(text: string, pieces: Pieces) {
    this.#rest = quickPieces(pieces(text));
    const shown: VisibleText[] = [];
    let lines = 0;
    do {
      const next = this.#rest.next();
      this.ended = next.done === true;
      if (next.done === true) break;
      shown.push(spellOut(next.value));
      lines += next.value.split('\n').length - 1;
    } while (text.length <= pieceChars && lines < pieceLines);
    this.shown = shown;
  }

  /** Whether the whole text was requested and is not complete yet. */
  get reading(): boolean {
    return this.#wanted && !this.ended;
  }

  showAll(): void {
    this.#wanted = true;
  }

  /** Shows one more piece. */
  step(): void {
    const next = this.#rest.next();
    if (next.done === true) this.ended = true;
    else this.shown = [...this.shown, spellOut(next.value)];
  }
}

interface ListToDraw {
  readonly length: () => number;
  /** Number of items that are drawn in one frame. */
  readonly piece: () => number;
  /** Identifies the list: if this value changes, drawing begins again with the first piece. Default: always the same. */
  readonly of?: () => unknown;
}

/** How much of a list is drawn: one more piece in each frame. */
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
