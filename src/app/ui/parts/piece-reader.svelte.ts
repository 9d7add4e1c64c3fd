/** Renders a long text piece by piece. */

import { pieceChars, pieceLines, quickPieces } from './cut-text.ts';
import { spellOut, type VisibleText } from './visible-text.ts';

export type Pieces = (text: string) => Iterator<string, void>;

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
