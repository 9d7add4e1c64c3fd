/** Type guards for JSON values and for data from outside. */

import type { JsonObject } from './json.ts';

/** An object or array, with unknown fields. */
export type Fields = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

/** The value of JSON text; undefined if the text is not JSON. */
export function parseJson(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

/** The value if it is an object, else an empty object. */
export function asFields(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

/** Returns whether a parsed JSON value is an object, and not an array. */
export function isObject(value: unknown): value is JsonObject {
  return isRecord(value) && !Array.isArray(value);
}

/** The parsed JSON value if it is an object, else an empty object. */
export function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

export function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** The strings of a list; empty if the value is not a list. */
export function stringsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** A finite number from 0. */
export function isAmount(value: unknown): value is number {
  return Number.isFinite(value) && Number(value) >= 0;
}

/** A safe integer from 0. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
