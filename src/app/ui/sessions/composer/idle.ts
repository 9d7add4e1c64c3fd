/** Waits for the end of a session's turn. */

import type { PageSession } from '../../../../agent/turn/page-session.ts';

/** Resolves when no turn runs in the session; at once if none does. */
export function idle(conversation: Pick<PageSession, 'live' | 'observe'>): Promise<void> {
  return new Promise((resolve) => {
    const isIdle = (): boolean => conversation.live.phase === 'idle';
    if (isIdle()) {
      resolve();
      return;
    }
    const end = conversation.observe(() => {
      if (!isIdle()) return;
      end();
      resolve();
    });
  });
}
