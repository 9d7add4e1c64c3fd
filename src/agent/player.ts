/** Plays a recording: does what comes next in it as soon as the turn before has ended well. */

import { isBrokenOff, nextMove } from '../session/recording.ts';
import type { Recording } from '../spec/recording.ts';
import type { Conversation } from './conversation-type.ts';

/**
 * Plays on from where the session is: goes on with a turn that came to no end, then sends message after message.
 *
 * @param signal stops playing; the turn under way goes on
 * @returns resolves when nothing is left, a turn did not end well, or playing was stopped; never rejects
 */
export function play(
  signal: AbortSignal,
  conversation: Conversation,
  recording: Recording,
): Promise<void> {
  return new Promise((resolve) => {
    /** Entries when it last moved, so that what adds none is not tried for ever. */
    let moved = -1;
    const over = (): void => {
      dispose();
      signal.removeEventListener('abort', over);
      resolve();
    };
    const goOn = (mayMend: boolean): void => {
      const { state, live } = conversation;
      if (state.turnId !== null || live.phase !== 'idle') return;
      const move = nextMove(recording, state);
      const isStuck = state.entries.length === moved || (!mayMend && isBrokenOff(state));
      if (signal.aborted || isStuck || move === null || !conversation.writes) {
        over();
        return;
      }
      moved = state.entries.length;
      if (move.type === 'resume') conversation.resume();
      else conversation.send(move.message);
    };
    const dispose = conversation.observe(() => {
      goOn(false);
    });
    signal.addEventListener('abort', over, { once: true });
    goOn(true);
  });
}
