/** What a session that comes out of a file is given: an end to what ran in it, and a title that tells it from the one here. */

import type { SessionEvent, SessionFact, SessionHead } from '../spec/session.ts';
import { closingFacts, hasPythonState } from './closing.ts';
import type { ForkParts } from './fork-session.ts';
import { replayed } from './reduce.ts';
import { importTitle } from './session-title.ts';

/** @param heads of the sessions that are here */
export function importEvents(
  events: readonly SessionEvent[],
  heads: readonly SessionHead[],
  parts: ForkParts,
): SessionEvent[] {
  const state = replayed('', events);
  const facts: SessionFact[] = closingFacts(state, {
    why: 'forked',
    partsOf: () => [],
    newId: () => parts.newId(),
  });
  if (hasPythonState(events)) facts.push({ type: 'python-anew', why: 'import' });
  const { title, titled } = state.head;
  const isTaken = heads.some((head) => head.title === title);
  // Said anew in any case: it has the list begin with what came last.
  if (title !== '')
    facts.push({
      type: 'titled',
      title: isTaken ? importTitle(title) : title,
      by: titled === 'by-person' ? 'person' : 'message',
    });
  const at = parts.now();
  return facts.map((fact, index) => ({ n: events.length + index, at, ...fact }));
}
