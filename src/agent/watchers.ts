/** Who watches a conversation: told with the next picture of the page, once, however much has changed until then. */

import { createObservers, type Observers } from '../hooks/observe.ts';

export class Watchers {
  readonly #soon: (then: () => void) => void;
  readonly #observers: Observers<null>;
  #telling = false;

  /** @param soon runs it with the next picture of the page @param report told of what listeners throw */
  constructor(soon: (then: () => void) => void, report: (thrown: unknown) => void) {
    this.#soon = soon;
    this.#observers = createObservers(report);
  }

  observe(listener: () => void): () => void {
    return this.#observers.observe(listener);
  }

  tell(): void {
    if (this.#telling) return;
    this.#telling = true;
    this.#soon(() => {
      this.#telling = false;
      this.#observers.emit(null);
    });
  }
}
