/** Waits for the end of a session's turn. */

import type { PageSession } from '../../../../agent/turn/page-session.ts';

/** Resolves when no turn runs in the session; at once if none does. */
export function waitUntilIdle(session: Pick<PageSession, 'live' | 'observe'>): Promise<void> {
  return new Promise((resolve) => {
    const isIdle = (): boolean => session.live.phase === 'idle';
    if (isIdle()) {
      resolve();
      return;
    }
    const end = session.observe(() => {
      if (!isIdle()) return;
      end();
      resolve();
    });
  });
}
