/** Events, drafts and heads as JSON text: writes them to the log, and validates what storage, other tabs and files bring. */

import {
  sessionDraft,
  sessionEvent,
  sessionHead,
  type Validator,
} from 'virtual:cloche/page-validators';
import { cutResult } from '../../call/cut-call.ts';
import { deeperThan } from '../../spec/depth.ts';
import { ToolError } from '../../spec/error.ts';
import type { Json } from '../../spec/json.ts';
import type { ToolResult } from '../../spec/result.ts';
import type { SessionEvent, SessionFact, SessionHead } from '../../spec/session.ts';
import type { DraftDelta } from './draft.ts';
import type { StoredEvent } from './session-store.ts';

/** What happened, and when: milliseconds since the epoch. */
export type DatedFact = SessionFact & { readonly at: number };

export interface EncodedEvent extends StoredEvent {
  readonly event: SessionEvent;
}

/** An event, or what is wrong with it. */
export type ReadEvent =
  | { readonly event: SessionEvent; readonly wrong?: never }
  | { readonly event?: never; readonly wrong: string };

/** Nested objects and arrays; schemas of tools and data of providers have far fewer. */
const maxDepth = 200;

/** @param text JSON @param n the event's place in its log */
export function readEvent(text: unknown, n: number): ReadEvent {
  const value = parsed(text);
  return value === undefined ? { wrong: 'It is not JSON.' } : checkedEvent(value, n);
}

/** @param n the event's place in its log */
export function checkedEvent(value: Json, n: number): ReadEvent {
  if (deeperThan(value, maxDepth))
    return { wrong: `It is nested more than ${maxDepth} levels deep.` };
  if (!sessionEvent(value)) return { wrong: reason(sessionEvent) };
  // Behind its validator.
  const event = value as unknown as SessionEvent;
  return event.n === n ? { event } : { wrong: `Its number is ${event.n}, not ${n}.` };
}

/** @returns null where the text is no draft */
export function readDelta(text: unknown): DraftDelta | null {
  const value = parsed(text);
  if (value === undefined || deeperThan(value, maxDepth) || !sessionDraft(value)) return null;
  return value as unknown as DraftDelta;
}

/** @returns null where the text is no head */
export function readHead(text: unknown): SessionHead | null {
  const value = parsed(text);
  return value !== undefined && sessionHead(value) ? (value as unknown as SessionHead) : null;
}

/**
 * Validates an event and encodes it. A result that is too large is cut.
 * @param maxChars of the JSON
 * @throws {ToolError} `limit`, `bad-input`
 */
export function encodeEvent(event: SessionEvent, maxChars: number): EncodedEvent {
  const whole = encodeWhole(event);
  if (whole.text.length <= maxChars) return whole;
  if (event.type === 'call-ended') {
    // JSON escapes can make a text longer, so the shares leave room.
    for (const share of [0.4, 0.15, 0]) {
      const result = cutWithMarks(event.result, Math.floor(share * maxChars));
      const cut = encodeWhole({ ...event, result });
      if (cut.text.length <= maxChars) return cut;
    }
  }
  const megabytes = Math.round(maxChars / 1024 / 1024);
  throw new ToolError(
    'limit',
    `The session cannot store a ${event.type} of ${whole.text.length} characters: it exceeds the limit of ${megabytes} MB.`,
    'Send less at once: fewer or smaller images, or less text.',
  );
}

/** Encodes an event that has been validated before. */
export function storedEvent(event: SessionEvent): StoredEvent {
  return { n: event.n, text: JSON.stringify(event) };
}

/** The event without its place, so that it can be added to another log. */
export function datedFact({ n: _, ...fact }: SessionEvent): DatedFact {
  return fact;
}

function encodeWhole(event: SessionEvent): EncodedEvent {
  // The next visit would refuse what is not valid.
  const { wrong } = checkedEvent(event as unknown as Json, event.n);
  if (wrong !== undefined)
    throw new ToolError('bad-input', `The session cannot store a ${event.type}: ${wrong}`);
  return { ...storedEvent(event), event };
}

/** Cuts a result's texts and marks the cuts, for a model that reads on to the end. */
function cutWithMarks(result: ToolResult, textChars: number): ToolResult {
  const cut = cutResult(result, { textChars, mark: withMark });
  // The output of a tool that returns nothing is its result.
  const isOutputRead = result.textResultForLlm === 'null';
  return { ...cut, stdout: isOutputRead ? withMark(cut.stdout, result.stdout) : cut.stdout };
}

function withMark(cut: string, { length }: string): string {
  if (cut.length === length) return cut;
  const chars = length.toLocaleString('en');
  return `${cut}\n[Cut here: there were ${chars} characters, more than a session stores.]`;
}

function parsed(text: unknown): Json | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** The first and most deeply nested error: the others follow from it. */
function reason({ errors }: Validator): string {
  const worst = errors?.reduce((one, other) =>
    other.instancePath.length > one.instancePath.length ? other : one,
  );
  if (worst === undefined) return 'It is not valid.';
  const { instancePath, message = 'is not valid' } = worst;
  return `${instancePath === '' ? 'It' : instancePath} ${message}.`;
}
