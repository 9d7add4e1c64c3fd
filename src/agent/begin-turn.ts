/** What the log is told when messages begin a turn. */

import type { SessionLog } from '../session/session-log.ts';
import type { Queued } from './live.ts';
import { titleOf } from './message-title.ts';

/** The first message of a session gives it its title. @throws {ToolError} `limit` where one is too long for the log */
export function beginTurn(
  log: Pick<SessionLog, 'state' | 'append'>,
  turnId: string,
  messages: readonly Queued[],
): void {
  if (log.state.head.titled === 'no') {
    const title = titleOf(messages[0]?.parts ?? []);
    if (title !== '') log.append({ type: 'titled', title, by: 'message' });
  }
  for (const { id, parts } of messages)
    log.append({ type: 'message', id, turnId, parts, steering: false });
  log.append({ type: 'turn-began', turnId });
}
