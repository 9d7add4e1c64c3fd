/** What the readers of messages share: the request that is answered, notes of breaches, and what counts as missing. */

import { asFields, parseJson, type Fields } from '../../../../runtime/spec/guards.ts';

/** Called with a breach of the specification, in the terms of the specification. */
export type Note = (problem: string) => void;

/** A request that a server is to answer. */
export interface PendingRequest {
  readonly id: string | number;
  readonly method: string;
  readonly params: Fields;
  /** Whether it is of the revision 2026-07-28 or later. */
  readonly isModern: boolean;
}

/** A message that has more than one reading, or none. Its text completes “The server … METHOD”. */
export class Unreadable extends Error {}

/** The messages in a text of a server. */
export interface ReadMessages {
  readonly messages: readonly unknown[];
  /** Whether the text is one message that breaks nothing. */
  readonly isSame: boolean;
}

const maxShown = 500;
/** Replaces a value that is nested too deeply. */
export const tooDeep = '(nested too deep)';
const versionKey = 'io.modelcontextprotocol/protocolVersion';

/** The request in the body of a POST; null for a notification or a response. */
export function readPendingRequest(body: unknown): PendingRequest | null {
  return requestIn(parseJson(body));
}

/** The request that a message is; null for a notification or a response. */
export function requestIn(message: unknown): PendingRequest | null {
  const { id, method, params } = asFields(message);
  if (typeof method !== 'string' || (typeof id !== 'string' && typeof id !== 'number')) return null;
  const isModern = typeof asFields(asFields(params)._meta)[versionKey] === 'string';
  return { id, method, params: asFields(params), isModern };
}

/** Whether a value is missing, null, or the empty list that PHP writes for an empty object. */
export function isMissing(value: unknown): boolean {
  return value === undefined || value === null || isEmptyList(value);
}

export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

export function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}

export function omitMember(value: Fields, member: string): Fields {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== member));
}

/** A value of a server, shortened for a sentence. */
export function showValue(value: unknown, max = maxShown): string {
  return textOf(value).slice(0, max);
}

/** Returns a string as it is, and any other value as JSON. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === undefined) return '';
  try {
    return JSON.stringify(value);
  } catch {
    return tooDeep;
  }
}
