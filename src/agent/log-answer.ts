/** What the person answered for a call, on its way into the log, which must take it: the call runs by it already. */

import type { SessionLog } from '../session/session-log.ts';
import type { CallAnswer } from '../spec/call.ts';
import type { SessionFact } from '../spec/session.ts';

/** Characters of changed arguments: no more can be written where they are asked for. */
const keptChars = 100_000;
/** Of a reason. */
const keptReason = 10_000;

/** Never throws: arguments that are too long are not kept, and what is kept says so. */
export function logAnswer(
  log: Pick<SessionLog, 'append'>,
  callId: string,
  tool: string,
  { approval, reason, arguments: args }: CallAnswer,
): void {
  const answered: SessionFact = {
    ...{ type: 'call-answered', callId, tool, approval, reason: reason.slice(0, keptReason) },
    ...(args === undefined ? {} : { arguments: args.length > keptChars ? tooLong(args) : args }),
  };
  log.append(answered);
}

/** As JSON, which the arguments of a call are. */
function tooLong({ length }: string): string {
  return JSON.stringify(`${length.toLocaleString('en')} characters: too long to be kept`);
}
