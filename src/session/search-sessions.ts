/** Finds the sessions whose title and messages contain every word of a query. */

import { createPacer, type Pacer } from '../async/pace.ts';
import type { SessionEvent, SessionHead } from '../spec/session.ts';
import { readEvent } from './log/event-format.ts';
import type { SessionStore } from './log/session-store.ts';

export interface SearchDeps {
  readonly heads: readonly SessionHead[];
  readonly store: Pick<SessionStore, 'events'>;
  /** Returns the events of a session that is open in this page; undefined for other sessions. */
  eventsOf(id: string): readonly SessionEvent[] | undefined;
  /** Limit for the number of results. */
  readonly max: number;
}

/** Small, since the events of a session with images can be megabytes. */
const eventsPerRead = 25;

/**
 * Returns the matching sessions in the order of the heads. If a session cannot be read, only its title is searched.
 *
 * @throws the signal's reason
 */
export async function searchSessions(
  signal: AbortSignal,
  text: string,
  deps: SearchDeps,
): Promise<SessionHead[]> {
  const words = new Set(text.toLowerCase().split(/\s+/).filter(Boolean));
  const pacer = createPacer();
  const found: SessionHead[] = [];
  for (const head of deps.heads) {
    if (found.length === deps.max) break;
    const missing = new Set(words);
    removeFound(missing, head.title);
    if (pacer.mustRest()) await pacer.rest();
    await searchEvents(signal, missing, head.id, deps, pacer);
    if (missing.size === 0) found.push(head);
  }
  return found;
}

/** Removes the words that occur in the session's messages, until none is missing. */
async function searchEvents(
  signal: AbortSignal,
  missing: Set<string>,
  id: string,
  deps: SearchDeps,
  pacer: Pacer,
): Promise<void> {
  const open = deps.eventsOf(id);
  for (let from = 0; missing.size > 0; from += eventsPerRead) {
    signal.throwIfAborted();
    const events: readonly unknown[] =
      open?.slice(from, from + eventsPerRead) ??
      (await deps.store.events(id, from, eventsPerRead).catch(() => []));
    for (const [index, event] of events.entries()) {
      const message = open?.[from + index] ?? messageOf(event, from + index);
      if (message?.type === 'message' || message?.type === 'step-ended')
        for (const part of message.parts) if (part.type === 'text') removeFound(missing, part.text);
      if (pacer.mustRest()) await pacer.rest();
    }
    if (events.length < eventsPerRead) return;
  }
}

/** @returns null if the text is damaged or not a message */
function messageOf(text: unknown, n: number): SessionEvent | null {
  // Most events are not messages, and need not be parsed.
  const isMessage =
    typeof text === 'string' &&
    (text.includes('"type":"message"') || text.includes('"type":"step-ended"'));
  return isMessage ? (readEvent(text, n).event ?? null) : null;
}

function removeFound(missing: Set<string>, text: string): void {
  const lower = text.toLowerCase();
  for (const word of missing) if (lower.includes(word)) missing.delete(word);
}
