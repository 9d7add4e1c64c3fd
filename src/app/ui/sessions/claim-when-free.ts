/** Takes over writing a session when the user returns to the page and no other page writes it any more. */

import type { PageSession } from '../../../agent/turn/page-session.ts';

/** Times of attempts after the user returns, since a closing page releases its session late; milliseconds. */
const attemptsMs = [0, 1_000, 3_000];

/** Tries to take over, as long as the session is followed. */
export function claimWhenFree(session: Pick<PageSession, 'claim'>): () => () => void {
  return () => {
    let timers: readonly number[] = [];
    const stop = (): void => {
      for (const timer of timers) clearTimeout(timer);
    };
    const onReturn = (): void => {
      stop();
      if (document.visibilityState !== 'visible') return;
      timers = attemptsMs.map((ms) => window.setTimeout(() => void session.claim(), ms));
    };
    document.addEventListener('visibilitychange', onReturn);
    window.addEventListener('focus', onReturn);
    return () => {
      stop();
      document.removeEventListener('visibilitychange', onReturn);
      window.removeEventListener('focus', onReturn);
    };
  };
}
