/** What the log is told when messages begin a turn. */

import type { SessionLog } from '../session/session-log.ts';
import { followed } from '../session/session-troubles.ts';
import type { Queued } from './live.ts';
import { titleOf } from './message-title.ts';

/**
 * The first message of a session gives it its title.
 *
 * @param messages none: it goes on from where the session is
 * @throws {ToolError} `storage` where another page writes, `limit` where one is too long for the log; then all of them
 *   are still to be said
 */
export async function beginTurn(
  log: Pick<SessionLog, 'state' | 'writes' | 'claim' | 'append'>,
  turnId: string,
  messages: readonly Queued[],
): Promise<void> {
  // It may be lost again as soon as it was claimed.
  if (!(await log.claim()) || !log.writes) throw followed();
  if (log.state.head.titled === 'no') {
    const title = titleOf(messages[0]?.parts ?? []);
    if (title !== '') log.append({ type: 'titled', title, by: 'message' });
  }
  const said = messages.map(({ id, parts }) => ({
    ...({ type: 'message', id, turnId, parts, steering: false } as const),
  }));
  log.append(...said, { type: 'turn-began', turnId });
}
