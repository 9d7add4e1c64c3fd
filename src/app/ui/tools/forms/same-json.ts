/** Compares JSON texts regardless of formatting. */

import { exactText, parseExact } from '../../../../runtime/spec/exact-json.ts';
import type { JsonText } from '../../../../runtime/spec/json.ts';

/** Texts with more characters are compared literally. */
const maxCompared = 20_000;

/** Returns the texts that are not among the others. */
export function textsNotIn(
  others: readonly JsonText[],
  texts: readonly JsonText[],
): readonly JsonText[] {
  const seen = new Set(others.map(normalise));
  return texts.filter((text) => !seen.has(normalise(text)));
}

/** Returns whether the texts differ only in formatting. */
export function isSameJson(a: JsonText, b: JsonText): boolean {
  return normalise(a.trim()) === normalise(b.trim());
}

function normalise(text: JsonText): string {
  if (text.length > maxCompared) return text;
  try {
    return exactText(parseExact(text));
  } catch {
    return text;
  }
}
