/** What JSON values and data from outside are. */

import type { JsonObject } from './json.ts';

/** An object whose fields may be anything; an array is one too. */
export type Fields = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

/** The value where it is an object, else an empty one. */
export function fields(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

/** Of what was read as JSON: an object, and no array. */
export function isObject(value: unknown): value is JsonObject {
  return isRecord(value) && !Array.isArray(value);
}

/** Of what was read as JSON: the value where it is an object, else an empty one. */
export function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

export function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** The strings of a list; none where the value is no list. */
export function stringsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** A whole number from 0 that JavaScript has exactly. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
