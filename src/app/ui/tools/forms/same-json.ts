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
  const seen = new Set(others.map(compact));
  return texts.filter((text) => !seen.has(compact(text)));
}

/** Returns whether the texts differ only in formatting. */
export function isSameJson(a: JsonText, b: JsonText): boolean {
  return compact(a.trim()) === compact(b.trim());
}

function compact(text: JsonText): string {
  if (text.length > maxCompared) return text;
  try {
    return exactText(parseExact(text));
  } catch {
    return text;
  }
}
