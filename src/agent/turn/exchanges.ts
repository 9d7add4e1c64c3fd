/**
 * The requests to providers for the latest steps, and what was received. Kept until the page is
 * closed, and never stored.
 */

import { Observable } from '../../runtime/hooks/observe.ts';
import type { ModelExchange } from '../../runtime/spec/model.ts';

/** Limits for the kept steps, and for the characters of all of them. */
const maxSteps = 200;
const maxChars = 30_000_000;

/** Calls its listeners when the requests of a step have been kept, soon after the end of the step. */
export class Exchanges extends Observable<undefined> {
  readonly #steps = new Map<string, readonly ModelExchange[]>();
  #chars = 0;

  /** Keeps the requests of a step, and drops those of the oldest steps. */
  keep(stepId: string, exchanges: readonly ModelExchange[]): void {
    if (exchanges.length === 0) return;
    this.#drop(stepId);
    this.#steps.set(stepId, exchanges);
    this.#chars += charsOf(exchanges);
    for (const oldest of this.#steps.keys()) {
      if (this.#steps.size <= maxSteps && this.#chars <= maxChars) break;
      this.#drop(oldest);
    }
    this.emit(undefined);
  }

  /** Returns the requests of a step; empty if it is from an earlier visit, or was dropped. */
  of(stepId: string): readonly ModelExchange[] {
    return this.#steps.get(stepId) ?? [];
  }

  #drop(stepId: string): void {
    this.#chars -= charsOf(this.of(stepId));
    this.#steps.delete(stepId);
  }
}

function charsOf(exchanges: readonly ModelExchange[]): number {
  return exchanges.reduce(
    (sum, { body, received }) => sum + (body?.length ?? 0) + received.length,
    0,
  );
}
