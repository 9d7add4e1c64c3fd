/** Keeps what is being written to a session while it is shown. */

import type { Queued } from '../../../agent/live.ts';
import { newSession } from '../../shell/address.ts';
import { messageText } from '../transcript/message-text.ts';
import type { OpenSession } from '../open-session.svelte.ts';
import type { Unsent } from './unsent.ts';

/** Where a session's is kept: what is written to one that is not kept yet is for whichever is new next. */
export function unsentOf({ kept, id }: Pick<OpenSession, 'kept' | 'id'>): string {
  return kept ? id : newSession;
}

/** The session that is shown, as far as it matters here. */
interface Writing extends Pick<OpenSession, 'kept' | 'id'> {
  /** Messages that wait for a turn to take them in. */
  readonly queue: readonly Queued[];
}

/** Of one session. */
export class UnsentKeeper {
  /** Nothing was sent to the session before. */
  #wasFresh = false;

  /** Keeps what is written, and what waits: neither is in the log. Call it after each change. */
  keep(unsent: Unsent, shown: Writing, text: string): void {
    const { kept, queue } = shown;
    // What was written there meanwhile is its own now.
    if (kept && this.#wasFresh) unsent.keep(newSession, '');
    this.#wasFresh = !kept;
    const waiting = queue.map((one) => [one.id, messageText(one.parts)] as const);
    unsent.keep(unsentOf(shown), text, waiting);
  }
}
