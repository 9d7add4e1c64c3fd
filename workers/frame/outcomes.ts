/** Sends outcomes of calls to the page: long texts first, in pieces, each after the page has processed the last one. */

import type { FromBroker, OrLost, PythonOutcome } from '../../src/protocol/frame.ts';
import { liftTexts, type TextPiece } from '../../src/protocol/long-texts.ts';

interface Sending {
  readonly pieces: TextPiece[];
  readonly outcome: OrLost<PythonOutcome>;
}

export class Outcomes {
  readonly #post: (message: FromBroker) => void;
  readonly #sending = new Map<number, Sending>();

  constructor(post: (message: FromBroker) => void) {
    this.#post = post;
  }

  send(id: number, whole: OrLost<PythonOutcome>): void {
    const { message: outcome, pieces } = liftTexts(whole);
    this.#sending.set(id, { pieces: [...pieces], outcome });
    this.next(id);
  }

  /** The page has processed the last piece of this call's outcome. */
  next(id: number): void {
    const sending = this.#sending.get(id);
    if (!sending) return;
    const piece = sending.pieces.shift();
    if (piece) {
      this.#post({ type: 'text', id, piece });
      return;
    }
    this.#sending.delete(id);
    this.#post({ type: 'outcome', id, outcome: sending.outcome });
  }
}
