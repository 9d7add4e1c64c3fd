/** Describes an interpreter of the open folder to the user. */

import type { InterpreterView } from '../../../runtime/spec/interpreter.ts';

/** Describes whose state an interpreter holds. */
export function holderWords({ role, sessionId }: InterpreterView): string {
  switch (role) {
    case 'session':
      return sessionId === '' ? 'Calls without a session' : `Session ${sessionId}`;
    case 'helper':
      return 'Stateless calls';
    case 'program':
      return sessionId === '' ? 'Programs in the console' : `Programs of session ${sessionId}`;
    case 'spare':
      return 'Spare';
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
