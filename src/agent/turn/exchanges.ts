/** The requests to providers for the latest steps, which the worker that sent them keeps. */

import { Observable } from '../../runtime/hooks/observe.ts';
import type { LoadExchanges } from '../../runtime/spec/model.ts';

/** Limit for the steps. */
const maxSteps = 200;

/** Calls its listeners when the requests of a step can be loaded, soon after the end of the step. */
export class Exchanges extends Observable<undefined> {
  readonly #steps = new Map<string, LoadExchanges>();

  /** Keeps the function that loads the requests of a step, and drops the oldest step if there are too many. */
  keep(stepId: string, load: LoadExchanges): void {
    this.#steps.delete(stepId);
    this.#steps.set(stepId, load);
    for (const oldest of this.#steps.keys()) {
      if (this.#steps.size <= maxSteps) break;
      this.#steps.delete(oldest);
    }
    this.emit(undefined);
  }

  /** Returns the function that loads the requests of a step; undefined if the step is from an earlier visit, or was dropped. */
  of(stepId: string): LoadExchanges | undefined {
    return this.#steps.get(stepId);
  }
}
