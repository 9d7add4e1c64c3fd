/**
 * The recorders of the latest requests. What they recorded is masked only when the page shows it: few exchanges are looked
 * at, and masking one takes as long as reading its answer.
 */

import type { ModelExchange } from '../../../runtime/spec/model.ts';
import type { ExchangeRecorder } from './exchange-recorder.ts';

/** Limits for the requests, and for the characters of all of them. */
const maxRequests = 200;
const maxChars = 30_000_000;

export class KeptRecorders {
  readonly #recorders = new Map<number, ExchangeRecorder>();
  #chars = 0;

  /** Keeps the recorder of a request that has ended, and drops the oldest ones if that is too much. */
  keep(id: number, recorder: ExchangeRecorder): void {
    this.#recorders.set(id, recorder);
    this.#chars += recorder.chars;
    for (const [oldest, { chars }] of this.#recorders) {
      if (this.#recorders.size <= maxRequests && this.#chars <= maxChars) break;
      this.#recorders.delete(oldest);
      this.#chars -= chars;
    }
  }

  /** Returns what was recorded for a request, without secrets; empty if it was dropped. */
  exchangesOf(id: number): readonly ModelExchange[] {
    return this.#recorders.get(id)?.exchanges ?? [];
  }
}
