/** Events, drafts and heads as they come from storage, other pages and files: nothing of it is believed. */

import {
  sessionDraft,
  sessionEvent,
  sessionHead,
  type Validator,
} from 'virtual:cloche/page-validators';
import { deeperThan } from '../spec/depth.ts';
import type { Json } from '../spec/json.ts';
import type { SessionEvent, SessionHead } from '../spec/session.ts';
import type { Grown } from './draft.ts';

/** An event, or what is wrong with it. */
export type ReadEvent =
  | { readonly event: SessionEvent; readonly wrong?: never }
  | { readonly event?: never; readonly wrong: string };

/** Objects and arrays inside one another: tools' schemas and providers' data stay far below. */
const levels = 200;

/** @param text JSON @param n the place that it has in its log */
export function readEvent(text: unknown, n: number): ReadEvent {
  const value = parsed(text);
  return value === undefined ? { wrong: 'It is not JSON.' } : checkedEvent(value, n);
}

/** @param value made of JSON @param n the place that it has in its log */
export function checkedEvent(value: Json, n: number): ReadEvent {
  if (deeperThan(value, levels)) return { wrong: `It is nested more than ${levels} levels deep.` };
  if (!sessionEvent(value)) return { wrong: reason(sessionEvent) };
  // Behind its validator.
  const event = value as unknown as SessionEvent;
  return event.n === n ? { event } : { wrong: `It has the number ${event.n}, not ${n}.` };
}

/** Null where it is none. @param text JSON */
export function readGrown(text: unknown): Grown | null {
  const value = parsed(text);
  if (value === undefined || deeperThan(value, levels) || !sessionDraft(value)) return null;
  return value as unknown as Grown;
}

/** Null where it is none. @param text JSON */
export function readHead(text: unknown): SessionHead | null {
  const value = parsed(text);
  return value !== undefined && sessionHead(value) ? (value as unknown as SessionHead) : null;
}

/** JSON that was text, or undefined. */
function parsed(text: unknown): Json | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** The first of what is wrong, deepest first: the rest follows from it. */
function reason({ errors }: Validator): string {
  const worst = errors?.reduce((one, other) =>
    other.instancePath.length > one.instancePath.length ? other : one,
  );
  if (worst === undefined) return 'It is not valid.';
  const { instancePath, message = 'is not valid' } = worst;
  return `${instancePath === '' ? 'It' : instancePath} ${message}.`;
}
