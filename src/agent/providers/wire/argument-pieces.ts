/** Joins the pieces of a call's arguments. Some servers repeat, in each piece, all that they have sent before. */

import { isObject, parsedJson } from '../../../runtime/spec/guards.ts';

export class ArgumentPieces {
  /** All pieces, one after the other. */
  #all = '';
  /** The first piece, which is passed on at once, and the latest one. */
  #first = '';
  #last = '';
  /** Whether each piece is new text. This is unknown until a second one arrives. */
  #areNew = false;
  /** Whether pieces are held back, because each so far has repeated the one before. */
  #isHolding = false;

  /** The arguments that have arrived, as they are understood so far. */
  get text(): string {
    return this.#areNew ? this.#all : this.#last;
  }

  /** The part of the arguments that was passed on. */
  get passed(): string {
    return this.#areNew ? this.#all : this.#first;
  }

  /** Adds a piece, and returns the text to pass on; empty if it is held back. */
  add(piece: string): string {
    if (piece === '') return '';
    const before = this.passed.length;
    const isFirst = this.#all === '';
    this.#all += piece;
    if (isFirst) this.#first = piece;
    else if (!this.#areNew) {
      this.#isHolding = this.#isRepetition(piece);
      this.#areNew = !this.#isHolding;
    }
    this.#last = piece;
    return this.passed.slice(before);
  }

  /** Returns the text that was held back. Only one reading can be a whole object. */
  end(): string {
    if (!this.#isHolding) return '';
    const whole = isObject(parsedJson(this.#all)) ? this.#all : this.#last;
    return whole.slice(this.#first.length);
  }

  /** Returns whether a piece repeats the one before. A whole object is not continued. */
  #isRepetition(piece: string): boolean {
    return (
      piece.startsWith(this.#last) && (this.#isHolding || parsedJson(this.#last) === undefined)
    );
  }
}
