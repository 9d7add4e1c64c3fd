/** A copy of a session up to one of its events, as the beginning of another session. */

import { ToolError } from '../spec/error.ts';
import type { SessionEvent, SessionFact } from '../spec/session.ts';
import { closingFacts, hasPythonState } from './closing.ts';
import { datedFact, type DatedFact } from './kept-event.ts';
import { replayed } from './reduce.ts';
import { forkTitle } from './session-title.ts';

export interface ForkParts {
  now(): number;
  newId(): string;
}

/**
 * What the copy begins with: the events up to and with `n`, and what ends a turn that was under way there.
 * @throws {ToolError} `bad-input` where there is no such event
 */
export function forkFacts(
  session: string,
  events: readonly SessionEvent[],
  n: number,
  parts: ForkParts,
): DatedFact[] {
  if (!Number.isInteger(n) || n < 0 || n >= events.length) {
    throw new ToolError('bad-input', `The session has no entry ${n} to be copied up to.`);
  }
  const at = parts.now();
  const copied = events.slice(0, n + 1);
  const state = replayed(session, copied);
  const { title, titled } = state.head;
  const more: SessionFact[] = closingFacts(state, {
    why: 'forked',
    partsOf: () => [],
    newId: () => parts.newId(),
  });
  if (hasPythonState(copied)) more.push({ type: 'python-anew', why: 'fork' });
  if (title !== '') {
    const by = titled === 'by-person' ? 'person' : 'message';
    more.push({ type: 'titled', title: forkTitle(title), by });
  }
  return [
    ...copied.map((event) =>
      event.type === 'created'
        ? { ...datedFact(event), at, forkOf: { session, n } }
        : datedFact(event),
    ),
    ...more.map((fact) => ({ at, ...fact })),
  ];
}
