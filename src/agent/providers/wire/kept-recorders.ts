/**
 * The recorders of the latest requests. What they recorded is masked only when the page shows it: few exchanges are looked
 * at, and masking one takes as long as reading its answer.
 */

import type { ModelExchange } from '../../../runtime/spec/model.ts';
import type { ExchangeRecorder } from './exchange-recorder.ts';

/** Limits on the number of requests, and on the characters of all of them. */
const maxRequests = 200;
const maxChars = 30_000_000;

interface KeptRecorder {
  readonly recorder: ExchangeRecorder;
  /** Its characters when it was kept. */
  readonly chars: number;
}

export class KeptRecorders {
  readonly #kept = new Map<number, KeptRecorder>();
  #chars = 0;

  /** Keeps the recorder of a request that has ended, and drops the oldest ones while a limit is exceeded. */
  keep(id: number, recorder: ExchangeRecorder): void {
    const { chars } = recorder;
    this.#kept.set(id, { recorder, chars });
    this.#chars += chars;
    for (const [oldest, dropped] of this.#kept) {
      const fits = this.#kept.size <= maxRequests && this.#chars <= maxChars;
      if (fits || oldest === id) break;
      this.#kept.delete(oldest);
      this.#chars -= dropped.chars;
    }
  }

  /** Returns what was recorded for a request, without secrets; empty if it was dropped. */
  exchangesOf(id: number): readonly ModelExchange[] {
    return this.#kept.get(id)?.recorder.exchanges ?? [];
  }
}
