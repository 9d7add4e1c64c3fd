/** Stores the events of an imported file as a new session. */

import { createPacer } from '../../../runtime/async/pace.ts';
import { ToolError, errorText } from '../../../runtime/spec/error.ts';
import type { SessionEvent, SessionHead } from '../../../runtime/spec/session.ts';
import type { ForkDeps } from '../fork-session.ts';
import { copyFacts } from '../log/closing.ts';
import { encodeEvent, type EncodedEvent } from '../log/event-format.ts';
import type { SessionPages } from '../log/session-claim.ts';
import type { SessionStore } from '../log/session-store.ts';
import { emptyState, replayInSlices, Replay } from '../reduce.ts';
import { copyTitle } from '../session-head.ts';

interface StoreSessionDeps {
  readonly store: SessionStore;
  readonly pages: Pick<SessionPages, 'take' | 'send'>;
  readonly eventChars: number;
}

/** Limit for one transaction; larger ones would delay others. */
const maxAtOnce = 500;
/** Marks an incomplete session as removed long ago, so that the next visit deletes it. */
const removedAt = 0;

/**
 * Returns the events to add to an imported session: they end what was running in it, and give it a title that no
 * session of this browser has.
 *
 * @param heads the sessions of this browser
 */
export async function importEvents(
  events: readonly SessionEvent[],
  heads: readonly SessionHead[],
  deps: ForkDeps,
): Promise<SessionEvent[]> {
  const state = await replayInSlices('', events);
  const facts = copyFacts(state, events, 'import', deps);
  const { title, titled } = state.head;
  const isTaken = heads.some((head) => head.title === title);
  // The event is added even without a title, since the list is sorted by the latest event.
  if (title !== '')
    facts.push({
      type: 'titled',
      title: isTaken ? copyTitle(title, 'imported') : title,
      by: titled === 'by-user' ? 'user' : 'message',
    });
  const at = deps.now();
  return facts.map((fact, index) => ({ n: events.length + index, at, ...fact }));
}

/**
 * Stores the events that were read from a file as a session: completely, or not at all.
 *
 * @param id a new id
 * @throws {ToolError} `bad-input` if an event is too large
 * @throws {ToolError} `storage`
 */
export async function storeSession(
  id: string,
  events: readonly SessionEvent[],
  { store, pages, eventChars }: StoreSessionDeps,
): Promise<SessionHead> {
  const pacer = createPacer();
  const replay = new Replay(emptyState(id));
  const encoded: EncodedEvent[] = [];
  for (const event of events) {
    try {
      const one = encodeEvent(event, eventChars);
      encoded.push(one);
      replay.apply(one.event);
    } catch (thrown) {
      throw new ToolError('bad-input', `Entry ${event.n + 1} of the file: ${errorText(thrown)}`);
    }
    if (pacer.mustRest()) await pacer.rest();
  }
  const { head } = replay.state;
  const release = await pages.take(id);
  try {
    await store.markRemoved(id, removedAt);
    for (let from = 0; from < encoded.length; from += maxAtOnce) {
      const some = encoded.slice(from, from + maxAtOnce).map(({ n, text }) => ({ n, text }));
      if (!(await store.append(id, JSON.stringify(head), some, [])))
        throw new Error('It already exists.');
    }
    await store.markRemoved(id, null);
    // A tab that was opened in the meantime has seen the session marked as removed.
    pages.send({ type: 'restored', session: id });
    pages.send({ type: 'head', session: id, head: JSON.stringify(head) });
    return head;
  } catch (thrown) {
    await store.remove(id, removedAt).catch(() => undefined);
    throw new ToolError('storage', `The session could not be stored: ${errorText(thrown)}`);
  } finally {
    await release?.();
  }
}
