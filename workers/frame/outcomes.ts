/** Hands outcomes of calls to the page: long texts first, each piece when the page has taken the one before. */

import type { FromBroker, OrLost, PythonOutcome } from '../../src/protocol/frame.ts';
import { liftTexts, type TextPiece } from '../../src/protocol/long-texts.ts';

interface Underway {
  readonly pieces: TextPiece[];
  readonly outcome: OrLost<PythonOutcome>;
}

export class Outcomes {
  readonly #tell: (message: FromBroker) => void;
  readonly #underway = new Map<number, Underway>();

  constructor(tell: (message: FromBroker) => void) {
    this.#tell = tell;
  }

  send(id: number, whole: OrLost<PythonOutcome>): void {
    const { message: outcome, pieces } = liftTexts(whole);
    this.#underway.set(id, { pieces: [...pieces], outcome });
    this.next(id);
  }

  /** The page has taken the last piece of this call's outcome. */
  next(id: number): void {
    const underway = this.#underway.get(id);
    if (!underway) return;
    const piece = underway.pieces.shift();
    if (piece) {
      this.#tell({ type: 'text', id, piece });
      return;
    }
    this.#underway.delete(id);
    this.#tell({ type: 'outcome', id, outcome: underway.outcome });
  }
}
