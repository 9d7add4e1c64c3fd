/** Plays a recording: sends each of its messages as soon as the turn before has ended well. */

import { nextMessage } from '../session/recording.ts';
import type { Recording } from '../spec/recording.ts';
import type { Conversation } from './conversation-type.ts';

/**
 * Plays on from where the session is.
 *
 * @param signal stops playing; the turn under way goes on
 * @returns resolves when no message is left, a turn did not end well, or playing was stopped; never rejects
 */
export function play(
  signal: AbortSignal,
  conversation: Conversation,
  recording: Recording,
): Promise<void> {
  return new Promise((resolve) => {
    const over = (): void => {
      dispose();
      resolve();
    };
    const goOn = (): void => {
      const { state, live } = conversation;
      if (state.turnId !== null || live.phase !== 'idle') return;
      const next = nextMessage(recording, state);
      const last = state.entries.at(-1);
      const ended = last?.kind === 'turn-ended';
      if (signal.aborted || ended || next === null || !conversation.writes) over();
      else conversation.send(next);
    };
    const dispose = conversation.observe(goOn);
    signal.addEventListener('abort', over, { once: true });
    goOn();
  });
}
