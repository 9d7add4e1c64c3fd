/** Which results are the first to say that Python's state was lost: those after it say so too, and it is no news by then. */

import type { CallEvent } from '../../spec/call.ts';

const endedWithPython: readonly string[] = ['cancelled', 'timeout', 'interrupted', 'crashed'];

export class LossNews {
  readonly #news = new Set<string>();
  #told = false;

  /** Takes in what happens to the calls of the session that a person calls in. */
  take(event: CallEvent): void {
    if (event.type !== 'call-ended' || event.call.sessionId !== '') return;
    const { call, result } = event;
    if (!result.stateLost) this.#told = false;
    else if (!this.#told && call.caller === 'person') {
      this.#news.add(call.id);
      this.#told = true;
    }
    // What was lost with this one is news once more.
    if (endedWithPython.includes(result.error ?? '')) this.#told = false;
  }

  /** The call was the first of a person's to say so. */
  has(callId: string): boolean {
    return this.#news.has(callId);
  }
}
