/** Finds the sessions whose title or messages contain every word. */

import { createPacer, type Pacer } from '../async/pace.ts';
import type { SessionEvent, SessionHead } from '../spec/session.ts';
import { readEvent } from './log/event-format.ts';
import type { SessionStore } from './log/session-store.ts';

export interface SearchDeps {
  readonly heads: readonly SessionHead[];
  readonly store: Pick<SessionStore, 'events'>;
  /** The events of a session that is open in this page; undefined for others. */
  eventsOf(id: string): readonly SessionEvent[] | undefined;
  /** Sessions to find at most. */
  readonly max: number;
}

/** A session with images has events of megabytes. */
const eventsPerRead = 25;

/**
 * Returns the sessions in the order of the heads. Of a session that cannot be read, only the title is searched.
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

/** Removes the words that the messages contain, until none is missing. */
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

/** @returns null where the text is no message, or damaged */
function messageOf(text: unknown, n: number): SessionEvent | null {
  // Most events are no messages, and need not be parsed.
  const isMessage =
    typeof text === 'string' &&
    (text.includes('"type":"message"') || text.includes('"type":"step-ended"'));
  return isMessage ? (readEvent(text, n).event ?? null) : null;
}

function removeFound(missing: Set<string>, text: string): void {
  const lower = text.toLowerCase();
  for (const word of missing) if (lower.includes(word)) missing.delete(word);
}
