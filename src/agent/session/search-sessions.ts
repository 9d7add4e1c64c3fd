/** Finds the sessions whose title and messages contain every word of a query. */

import { createPacer, type Pacer } from '../../runtime/async/pace.ts';
import type { SessionEvent, SessionHead } from '../../runtime/spec/session.ts';
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

export interface FoundSession {
  readonly head: SessionHead;
  /** Null if the title has all words. */
  readonly excerpt: Excerpt | null;
}

export interface Excerpt {
  /** The number of the message or answer. */
  readonly n: number;
  /** One line around the word. */
  readonly text: string;
  /** Where the word is in the text. */
  readonly from: number;
  readonly to: number;
}

/** Characters of an excerpt before and after the word. */
const excerptBefore = 30;
const excerptAfter = 90;

/** The number is small, since the events of a session with images can be megabytes. */
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
): Promise<FoundSession[]> {
  const words = new Set(text.toLowerCase().split(/\s+/).filter(Boolean));
  const pacer = createPacer();
  const found: FoundSession[] = [];
  for (const head of deps.heads) {
    if (found.length === deps.max) break;
    const missing = new Set(words);
    removeFound(missing, head.title);
    if (pacer.mustRest()) await pacer.rest();
    const excerpt = await searchEvents(signal, missing, head.id, deps, pacer);
    if (missing.size === 0) found.push({ head, excerpt });
  }
  return found;
}

/**
 * Removes the words that occur in the session's messages, until none is missing.
 *
 * @returns the first place of such a word
 */
async function searchEvents(
  signal: AbortSignal,
  missing: Set<string>,
  id: string,
  deps: SearchDeps,
  pacer: Pacer,
): Promise<Excerpt | null> {
  let excerpt: Excerpt | null = null;
  /** The event that began the step which ends next. */
  let step = 0;
  const open = deps.eventsOf(id);
  for (let from = 0; missing.size > 0; from += eventsPerRead) {
    signal.throwIfAborted();
    const events: readonly unknown[] =
      open?.slice(from, from + eventsPerRead) ??
      (await deps.store.events(id, from, eventsPerRead).catch(() => []));
    for (const [index, event] of events.entries()) {
      const message = open?.[from + index] ?? messageOf(event, from + index);
      if (message?.type === 'step-began') step = message.n;
      if (message?.type === 'message' || message?.type === 'step-ended')
        for (const part of message.parts) {
          if (part.type !== 'text') continue;
          const n = message.type === 'message' ? message.n : step;
          const found = removeFound(missing, part.text, n);
          excerpt ??= found;
        }
      if (pacer.mustRest()) await pacer.rest();
    }
    if (events.length < eventsPerRead) break;
  }
  return excerpt;
}

/** @returns null if the text is damaged or not a message */
function messageOf(text: unknown, n: number): SessionEvent | null {
  // Most events are not messages, and need not be parsed.
  const isMessage =
    typeof text === 'string' && /"type":"(?:message|step-began|step-ended)"/.test(text);
  return isMessage ? (readEvent(text, n).event ?? null) : null;
}

/**
 * Removes the words that occur in a text.
 *
 * @param n the number of the event of the text
 * @returns the place of the first removed word; null if there is none
 */
function removeFound(missing: Set<string>, text: string, n = 0): Excerpt | null {
  let first: Excerpt | null = null;
  const lower = text.toLowerCase();
  for (const word of missing) {
    const at = lower.indexOf(word);
    if (at < 0) continue;
    missing.delete(word);
    if (first !== null) continue;
    const isLonger = lower.length !== text.length;
    const from = isLonger ? placeInText(text, at) : at;
    const to = isLonger ? placeInText(text, at + word.length) : at + word.length;
    first = excerptAt(text, from, to - from, n);
  }
  return first;
}

/** Converts a place in the lower-case text to the place in the text itself. They differ after “İ”, which is longer in lower case. */
function placeInText(text: string, inLower: number): number {
  let place = 0;
  let lower = 0;
  for (const letter of text) {
    if (lower >= inLower) break;
    lower += letter.toLowerCase().length;
    place += letter.length;
  }
  return place;
}

function excerptAt(text: string, at: number, length: number, n: number): Excerpt {
  const toLine = (part: string): string => part.replace(/\s+/g, ' ').toWellFormed();
  const start = Math.max(0, at - excerptBefore);
  const before = `${start > 0 ? '…' : ''}${toLine(text.slice(start, at)).trimStart()}`;
  const word = toLine(text.slice(at, at + length));
  const end = at + length + excerptAfter;
  const after = `${toLine(text.slice(at + length, end)).trimEnd()}${end < text.length ? '…' : ''}`;
  const from = before.length;
  return { n, text: before + word + after, from, to: from + word.length };
}
