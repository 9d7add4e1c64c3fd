/** Keeps what is being written to the session that is shown. */

import type { Queued } from '../../agent/live.ts';
import { newSession } from '../state/address.ts';
import { messageText } from './message-text.ts';
import type { OpenSession } from './open-session.svelte.ts';
import type { Unsent } from './unsent.ts';

/** Where a session's is kept: what is written to one that nothing was sent to yet is for whichever is new next. */
export function unsentOf({ begun, id }: Pick<OpenSession, 'begun' | 'id'>): string {
  return begun ? id : newSession;
}

/** The session that is shown, as far as it matters here. */
interface Writing extends Pick<OpenSession, 'begun' | 'id'> {
  /** Messages that wait for a turn to take them in. */
  readonly queue: readonly Queued[];
}

export class UnsentKeeper {
  /** The session that was shown last, where nothing was sent to it yet. */
  #fresh = '';

  /** Keeps what is written, and what waits: neither is in the log. Call it after each change. */
  keep(unsent: Unsent, shown: Writing, text: string): void {
    const { begun, id, queue } = shown;
    // What was written there meanwhile is its own now.
    if (begun && this.#fresh === id) unsent.keep(newSession, '');
    this.#fresh = begun ? '' : id;
    const waiting = queue.map((one) => [one.id, messageText(one.parts)] as const);
    unsent.keep(unsentOf(shown), text, waiting);
  }
}
