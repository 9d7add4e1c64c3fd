/** Reads counts of tokens, which some servers write as text, or leave out. */

import type { Json } from '../../../runtime/spec/json.ts';

/** Returns a count that is a number, or a text that means one; undefined for everything else. */
export function countIn(value: Json | undefined): number | undefined {
  const count = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof count === 'number' && Number.isFinite(count) ? count : undefined;
}
