/** Which results tell the person that Python's state was lost. */

import { LossTold } from '../../../call/loss-told.ts';
import type { CallEvent } from '../../../spec/call.ts';

export class LossNews {
  readonly #news = new Set<string>();
  readonly #told = new LossTold();

  /** Takes in what happens to the calls of the session that a person calls in. */
  take(event: CallEvent): void {
    if (event.type !== 'call-ended' || event.call.sessionId !== '') return;
    const { call, result } = event;
    if (this.#told.isNews(result, call.caller === 'person')) this.#news.add(call.id);
  }

  /** The call was the first of a person's to say so. */
  has(callId: string): boolean {
    return this.#news.has(callId);
  }
}
