/** Reads values that should be lists or texts, and may be anything. */

import type { Json } from './json.ts';

/** The value if it is a list, else an empty list. */
export function asList(value: Json | undefined): Json[];
export function asList(value: unknown): unknown[];
export function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value if it is a string, else an empty one. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
