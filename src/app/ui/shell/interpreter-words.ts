/** Describes an interpreter of the open folder to the user. */

import { planExpressions, type InterpreterView } from '../../../runtime/spec/interpreter.ts';

/**
 * Describes what an interpreter is for.
 * @param titleOf the title of a stored session; null if it is not known
 */
export function holderWords(
  { role, sessionId }: Pick<InterpreterView, 'role' | 'sessionId'>,
  titleOf: (session: string) => string | null,
): string {
  const title = titleOf(sessionId);
  const session = title === null ? 'a session that is not saved' : `the session “${title}”`;
  switch (role) {
    case 'session':
      if (sessionId === planExpressions) return 'Checks of plans';
      return sessionId === '' ? 'Runs and calls outside of sessions' : `Tools of ${session}`;
    case 'helper':
      return 'Stateless tools of all sessions';
    case 'program':
      return sessionId === '' ? 'Programs in the console' : `Programs of ${session}`;
    case 'spare':
      return 'Spare, for the next session';
  }
}

export function stateWords({ state, busyWith, waiting }: InterpreterView): string {
  const [first = '', ...more] = busyWith;
  const others = more.length > 0 ? ` and ${String(more.length)} more` : '';
  const queue = waiting > 0 ? `, ${String(waiting)} waiting` : '';
  switch (state) {
    case 'starting':
      return `starting${queue}`;
    case 'ready':
      return `ready${queue}`;
    case 'busy':
      return `running ${first}${others}${queue}`;
    case 'ending':
      return `stopping after ${first}${others}`;
  }
}
