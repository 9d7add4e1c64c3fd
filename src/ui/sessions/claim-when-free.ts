/** Takes over writing a session when the user returns to the page and no other page writes it any more. */

import type { Conversation } from '../../agent/conversation.ts';

/** A page that was just closed takes a moment to go; milliseconds from the user's coming. */
const tries = [0, 1_000, 3_000];

/** For what is there as long as the session is followed. */
export function claimWhenFree(conversation: Pick<Conversation, 'claim'>): () => () => void {
  return () => {
    let timers: readonly number[] = [];
    const stop = (): void => {
      for (const timer of timers) clearTimeout(timer);
    };
    const come = (): void => {
      stop();
      if (document.visibilityState !== 'visible') return;
      timers = tries.map((ms) => window.setTimeout(() => void conversation.claim(), ms));
    };
    document.addEventListener('visibilitychange', come);
    window.addEventListener('focus', come);
    return () => {
      stop();
      document.removeEventListener('visibilitychange', come);
      window.removeEventListener('focus', come);
    };
  };
}
