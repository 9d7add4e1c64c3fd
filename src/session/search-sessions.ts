/** Finds the sessions whose title or messages contain every word. */

import { createPacer, type Pacer } from '../async/pace.ts';
import type { SessionEvent, SessionHead } from '../spec/session.ts';
import { readEvent } from './read-event.ts';
import type { SessionStore } from './session-store.ts';

export interface SearchParts {
  readonly heads: readonly SessionHead[];
  readonly store: Pick<SessionStore, 'events'>;
  /** Of a session that is open here; undefined: it is not. */
  opened(id: string): readonly SessionEvent[] | undefined;
  /** Found at most. */
  readonly most: number;
}

/** A session with pictures has events of megabytes. */
const atOnce = 25;

/**
 * In the order of the heads. A session that cannot be read is told by its title alone.
 * @throws the signal's reason
 */
export async function searchSessions(
  signal: AbortSignal,
  text: string,
  parts: SearchParts,
): Promise<SessionHead[]> {
  const words = new Set(text.toLowerCase().split(/\s+/).filter(Boolean));
  const pacer = createPacer();
  const found: SessionHead[] = [];
  for (const head of parts.heads) {
    if (found.length === parts.most) break;
    const missing = new Set(words);
    strike(missing, head.title);
    if (pacer.due()) await pacer.rest();
    await strikeEvents(signal, missing, head.id, parts, pacer);
    if (missing.size === 0) found.push(head);
  }
  return found;
}

/** Takes the words off that occur in the messages, until none is left. */
async function strikeEvents(
  signal: AbortSignal,
  missing: Set<string>,
  id: string,
  parts: SearchParts,
  pacer: Pacer,
): Promise<void> {
  const open = parts.opened(id);
  for (let from = 0; missing.size > 0; from += atOnce) {
    signal.throwIfAborted();
    const events: readonly unknown[] =
      open?.slice(from, from + atOnce) ??
      (await parts.store.events(id, from, atOnce).catch(() => []));
    for (const [index, event] of events.entries()) {
      strikeEvent(missing, open?.[from + index] ?? messageOf(event, from + index));
      if (pacer.due()) await pacer.rest();
    }
    if (events.length < atOnce) return;
  }
}

/** Null where it is no message, or damaged. */
function messageOf(text: unknown, n: number): SessionEvent | null {
  // Most events are none, and need not be read.
  const isMessage =
    typeof text === 'string' &&
    (text.includes('"type":"message"') || text.includes('"type":"step-ended"'));
  return isMessage ? (readEvent(text, n).event ?? null) : null;
}

function strikeEvent(missing: Set<string>, event: SessionEvent | null): void {
  if (event?.type !== 'message' && event?.type !== 'step-ended') return;
  for (const part of event.parts) if (part.type === 'text') strike(missing, part.text);
}

function strike(missing: Set<string>, text: string): void {
  const lower = text.toLowerCase();
  for (const word of missing) if (lower.includes(word)) missing.delete(word);
}
