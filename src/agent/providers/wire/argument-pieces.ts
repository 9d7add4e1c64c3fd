/**
 * Joins the pieces of a call's arguments. Some servers repeat, in each piece, all that they have sent before: `{"a":`, then
 * `{"a":1}`. Usual servers may send the same pieces, if the text ends as `{"a":{"a":1}}`.
 */

import { isObject, parseJson } from '../../../runtime/spec/guards.ts';

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
    const whole = isObject(parseJson(this.#all)) ? this.#all : this.#last;
    return whole.slice(this.#first.length);
  }

  /** Returns whether a piece may repeat the one before, with or without more text behind it. */
  #isRepetition(piece: string): boolean {
    if (!piece.startsWith(this.#last)) return false;
    // If the first piece is whole JSON, no later one can be the same with more text. A server may still send it twice:
    // both are passed on then, for `readArguments`, which reads them as one object and reports the fault.
    return this.#isHolding || parseJson(this.#last) === undefined;
  }
}
