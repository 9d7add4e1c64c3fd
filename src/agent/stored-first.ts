/** Makes calls of sub-agents wait until the log of their session is stored, so that none is repeated after a crash. */

import { failure } from '../call/results.ts';
import type { SessionLog } from '../session/log/session-log.ts';
import type { ConversationDeps } from './session-conversation.ts';

type Call = ConversationDeps['call'];

/** Calls that Cloche answers itself have no effect outside of the session, and do not wait. */
export function storedFirst(log: Pick<SessionLog, 'written' | 'isInStore'>, call: Call): Call {
  return async (signal, asked, onStart, answer) => {
    if (answer !== undefined) return call(signal, asked, onStart, answer);
    await log.written();
    if (log.isInStore) return call(signal, asked, onStart);
    return failure(
      'cancelled',
      `The call to ${asked.tool} was not run: the browser could not store the session, so a later visit would not know of it.`,
    );
  };
}
