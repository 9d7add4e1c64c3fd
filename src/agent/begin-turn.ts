/** What the log is told when messages begin a turn. */

import type { UserPart } from '../spec/model.ts';
import type { TurnEffects } from './effects.ts';
import type { Queued } from './live.ts';
import { titleOf } from './message-title.ts';
import { throughMessages } from './through-hooks.ts';

/**
 * The first message of a session gives it its title.
 * @returns false where hooks let none of the messages through
 * @throws {ToolError} `limit` where one is too long for the log; the signal's reason
 */
export async function beginTurn(
  signal: AbortSignal,
  turnId: string,
  messages: readonly Queued[],
  effects: Pick<TurnEffects, 'log' | 'hooks' | 'putBack'>,
): Promise<boolean> {
  const { log } = effects;
  const where = { session: log.id, turnId, steering: false };
  const taken = await throughMessages(signal, messages, where, effects);
  if (taken.length === 0) return false;
  if (log.state.head.titled === 'no') {
    const title = titleOf(taken[0]?.parts ?? []);
    if (title !== '') log.append({ type: 'titled', title, by: 'message' });
  }
  for (const { id, parts, context } of taken)
    log.append({ type: 'message', id, turnId, parts, ...contextFact(context), steering: false });
  log.append({ type: 'turn-began', turnId });
  return true;
}

export function contextFact(context: readonly UserPart[]): { context?: readonly UserPart[] } {
  return context.length === 0 ? {} : { context };
}
