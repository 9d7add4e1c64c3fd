/** Events, drafts and heads as JSON: writes them to the log, and validates those from storage, other tabs and files. */

import { isObject, parseJson } from '../../../runtime/spec/guards.ts';
import {
  sessionDraft,
  sessionEvent,
  sessionHead,
  type Validator,
} from 'virtual:cloche/page-validators';
import { shortenResult } from '../../../runtime/call/stored-calls.ts';
import { deeperThan, type Json } from '../../../runtime/spec/json.ts';
import { ToolError } from '../../../runtime/spec/error.ts';
import type { ToolResult } from '../../../runtime/spec/result.ts';
import type { SessionEvent, SessionFact, SessionHead } from '../../../runtime/spec/session.ts';
import type { DraftDelta } from './draft.ts';
import type { StoredEvent } from './session-store.ts';

/** A fact with its time in milliseconds since the epoch. */
export type DatedFact = SessionFact & { readonly at: number };

export interface EncodedEvent extends StoredEvent {
  readonly event: SessionEvent;
}

/** An event, or the reason that it is invalid. */
export type CheckedEvent =
  | { readonly event: SessionEvent; readonly wrong?: never }
  | { readonly event?: never; readonly wrong: string };

/** Limit for nested objects and arrays; tool schemas and provider data have far fewer levels. */
const maxDepth = 200;

/**
 * Validates an event.
 *
 * @param text JSON
 * @param n the event's number in its log
 */
export function readEvent(text: unknown, n: number): CheckedEvent {
  const value = parseJson(text) as Json | undefined;
  return value === undefined ? { wrong: 'It is not JSON.' } : checkEvent(value, n);
}

/**
 * Validates a parsed event.
 *
 * @param n the event's number in its log
 */
export function checkEvent(stored: Json, n: number): CheckedEvent {
  if (deeperThan(stored, maxDepth))
    return { wrong: `It is nested more than ${maxDepth} levels deep.` };
  const value = renameValue(stored, 'by', 'person', 'user');
  // @mutant the entries of a file are checked => never
  if (!sessionEvent(value)) return { wrong: reason(sessionEvent) };
  return value.n === n ? { event: value } : { wrong: `Its number is ${value.n}, not ${n}.` };
}

/** @returns null if the text is not a draft */
export function readDelta(text: unknown): DraftDelta | null {
  const value = parseJson(text) as Json | undefined;
  if (value === undefined || deeperThan(value, maxDepth) || !sessionDraft(value)) return null;
  return value;
}

/** @returns null if the text is not a head */
export function readHead(text: unknown): SessionHead | null {
  const stored = parseJson(text) as Json | undefined;
  if (stored === undefined) return null;
  const value = renameValue(stored, 'titled', 'by-person', 'by-user');
  return sessionHead(value) ? value : null;
}

/**
 * Validates an event and encodes it. A result that is too large is cut.
 *
 * @param maxChars limit for the JSON
 * @throws {ToolError} `limit`, `bad-input`
 */
export function encodeEvent(event: SessionEvent, maxChars: number): EncodedEvent {
  const whole = encodeWhole(event);
  if (whole.text.length <= maxChars) return whole;
  if (event.type === 'call-ended') {
    // JSON escapes can lengthen a text, so the shares leave room.
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

/** Encodes an event that was validated before. */
export function encodeValidEvent(event: SessionEvent): StoredEvent {
  return { n: event.n, text: JSON.stringify(event) };
}

/** Returns the event without its number, so that it can be added to another log. */
export function omitNumber({ n: _, ...fact }: SessionEvent): DatedFact {
  return fact;
}

/** Accepts a value under the name that earlier versions gave it. */
function renameValue(stored: Json, key: string, before: string, now: string): Json {
  return isObject(stored) && stored[key] === before ? { ...stored, [key]: now } : stored;
}

function encodeWhole(event: SessionEvent): EncodedEvent {
  // An invalid event must not be written, since the next visit would refuse it.
  const { wrong } = checkEvent(event as unknown as Json, event.n);
  if (wrong !== undefined)
    throw new ToolError('bad-input', `The session cannot store a ${event.type}: ${wrong}`);
  return { ...encodeValidEvent(event), event };
}

/** Cuts the texts of a result and marks the cuts, for a model that reads to the end. */
function cutWithMarks(result: ToolResult, textChars: number): ToolResult {
  const cut = shortenResult(result, { textChars, mark: withMark });
  // The output counts as the result of a tool that returns nothing.
  const isOutputRead = result.textResultForLlm === 'null';
  return { ...cut, stdout: isOutputRead ? withMark(cut.stdout, result.stdout) : cut.stdout };
}

function withMark(cut: string, { length }: string): string {
  if (cut.length === length) return cut;
  const chars = length.toLocaleString('en');
  return `${cut}\n[Cut here: there were ${chars} characters, more than a session stores.]`;
}

/** Returns the most deeply nested error, and the first of these: others follow from it. */
function reason({ errors }: Validator): string {
  const worst = errors?.reduce((one, other) =>
    other.instancePath.length > one.instancePath.length ? other : one,
  );
  if (worst === undefined) return 'It is not valid.';
  const { instancePath, keyword, params, message = 'is not valid' } = worst;
  const at = instancePath === '' ? 'It' : instancePath;
  const tag = String(params.tag);
  if (keyword === 'discriminator' && params.error === 'tag')
    return `${at} has no ${tag}, or one that is not text.`;
  const unknown = {
    discriminator: params.tagValue,
    additionalProperties: params.additionalProperty,
  };
  if (keyword !== 'discriminator' && keyword !== 'additionalProperties') return `${at} ${message}.`;
  const what = keyword === 'discriminator' ? tag : 'key';
  const name = String(unknown[keyword]).slice(0, 100);
  return `${at} has the unknown ${what} “${name}”, perhaps from a newer version of Cloche.`;
}
