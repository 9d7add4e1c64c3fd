/** Numbers the pieces of each step under way. */

import type { Grown } from './draft.ts';
import type { DraftPiece } from './session-store.ts';

export class DraftPieces {
  readonly #session: string;
  #stepId = '';
  #next = 0;

  constructor(session: string) {
    this.#session = session;
  }

  /** The next piece of a step; steps come one after the other. */
  piece(stepId: string, grown: Grown): DraftPiece {
    if (this.#stepId !== stepId) this.#next = 0;
    this.#stepId = stepId;
    const piece = this.#next;
    this.#next += 1;
    return { session: this.#session, stepId, piece, grown: JSON.stringify(grown) };
  }
}
