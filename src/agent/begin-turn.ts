/** What the log is told when messages begin a turn. */

import type { SessionLog } from '../session/session-log.ts';
import { followed } from '../session/session-troubles.ts';
import type { UserPart } from '../spec/model.ts';
import type { TurnEffects } from './effects.ts';
import type { Queued } from './live.ts';
import { titleOf } from './message-title.ts';
import { throughMessages } from './through-hooks.ts';

type Beginning = Pick<TurnEffects, 'hooks' | 'putBack'> & {
  readonly log: Pick<SessionLog, 'id' | 'state' | 'writes' | 'claim' | 'append'>;
};

/**
 * The first message of a session gives it its title.
 *
 * @param messages none: it goes on from where the session is
 * @returns false where hooks let none of the messages through
 * @throws {ToolError} `storage` where another page writes, `limit` where one is too long for the log; the signal's
 *   reason; then all of them are still to be said
 */
export async function beginTurn(
  signal: AbortSignal,
  turnId: string,
  messages: readonly Queued[],
  { log, ...hooks }: Beginning,
): Promise<boolean> {
  if (!(await log.claim())) throw followed();
  const where = { session: log.id, turnId, steering: false };
  const taken = await throughMessages(signal, messages, where, hooks);
  if (messages.length > 0 && taken.length === 0) return false;
  // It may be lost again as soon as it was claimed.
  if (!log.writes) throw followed();
  if (log.state.head.titled === 'no') {
    const title = titleOf(taken[0]?.parts ?? []);
    if (title !== '') log.append({ type: 'titled', title, by: 'message' });
  }
  const said = taken.map(({ id, parts, context }) => ({
    ...({ type: 'message', id, turnId, parts, ...contextFact(context), steering: false } as const),
  }));
  log.append(...said, { type: 'turn-began', turnId });
  return true;
}

export function contextFact(context: readonly UserPart[]): { context?: readonly UserPart[] } {
  return context.length === 0 ? {} : { context };
}
