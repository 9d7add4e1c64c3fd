/** Stores a whole session that comes from elsewhere, or nothing of it. */

import { createPacer } from '../async/pace.ts';
import { errorText, ToolError } from '../spec/error.ts';
import type { SessionEvent, SessionHead } from '../spec/session.ts';
import { writtenEvent, type Written } from './kept-event.ts';
import { emptyState, Replay } from './reduce.ts';
import type { SessionPages } from './session-claim.ts';
import type { SessionStore } from './session-store.ts';

export interface StoreSessionParts {
  readonly store: SessionStore;
  readonly pages: Pick<SessionPages, 'take' | 'send'>;
  readonly eventChars: number;
}

/** One transaction of more would keep others waiting. */
const mostAtOnce = 500;
/** As if it were removed long ago: what is not whole yet. */
const marked = 0;

/**
 * @param id new
 * @throws {ToolError} `bad-input` where an event is too large, `storage`
 */
export async function storeSession(
  id: string,
  events: readonly SessionEvent[],
  { store, pages, eventChars }: StoreSessionParts,
): Promise<SessionHead> {
  const written = await writtenEvents(events, eventChars);
  const replay = new Replay(emptyState(id));
  for (const { event } of written) replay.apply(event);
  const { head } = replay.state;
  const giveBack = await pages.take(id, false, () => undefined);
  try {
    // Should the page go meanwhile, the next visit deletes what there is of it.
    await store.markRemoved(id, marked);
    for (let from = 0; from < written.length; from += mostAtOnce) {
      const some = written.slice(from, from + mostAtOnce).map(({ n, text }) => ({ n, text }));
      if (!(await store.append(id, JSON.stringify(head), some, [])))
        throw new Error('It is there already.');
    }
    await store.markRemoved(id, null);
    // A page that began meanwhile has found it marked: it hears of it before it can take it.
    pages.send({ type: 'restored', session: id });
    pages.send({ type: 'head', session: id, head: JSON.stringify(head) });
    return head;
  } catch (thrown) {
    await store.remove(id, marked).catch(() => undefined);
    throw new ToolError('storage', `The session could not be kept: ${errorText(thrown)}`);
  } finally {
    await giveBack?.();
  }
}

async function writtenEvents(
  events: readonly SessionEvent[],
  eventChars: number,
): Promise<Written[]> {
  const pacer = createPacer();
  const all: Written[] = [];
  for (const event of events) {
    try {
      all.push(writtenEvent(event, eventChars));
    } catch (thrown) {
      throw new ToolError('bad-input', `Entry ${event.n + 1} of the file: ${errorText(thrown)}`);
    }
    if (pacer.due()) await pacer.rest();
  }
  return all;
}
