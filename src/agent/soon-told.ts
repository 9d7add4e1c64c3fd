/** Tells listeners that something has changed, however much has: at most once a picture of the page. */

import { createObservers } from '../hooks/observe.ts';

export interface SoonToldParts {
  /** Runs `then` with the next picture of the page. */
  readonly soon: (then: () => void) => void;
  /** Told what listeners throw. */
  readonly report: (thrown: unknown) => void;
}

export class SoonTold {
  readonly #observers;
  readonly #parts: SoonToldParts;
  #isTelling = false;

  constructor(parts: SoonToldParts) {
    this.#observers = createObservers<null>((thrown) => parts.report(thrown));
    this.#parts = parts;
  }

  /** @returns dispose */
  observe(listener: () => void): () => void {
    return this.#observers.observe(listener);
  }

  tell(): void {
    if (this.#isTelling) return;
    this.#isTelling = true;
    this.#parts.soon(() => {
      this.#isTelling = false;
      this.#observers.emit(null);
    });
  }
}
