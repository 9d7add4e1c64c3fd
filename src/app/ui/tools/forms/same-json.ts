/** Compares JSON texts regardless of formatting. */

import { exactText, parseExact } from '../../../../runtime/spec/exact-json.ts';
import type { JsonText } from '../../../../runtime/spec/json.ts';

/** Longer texts are compared literally; characters. */
const longest = 20_000;

/** The texts without duplicates. */
export function without(
  texts: readonly JsonText[],
  others: readonly JsonText[],
): readonly JsonText[] {
  const seen = new Set(others.map(compact));
  return texts.filter((text) => !seen.has(compact(text)));
}

/** Returns whether the texts differ only in formatting. */
export function isSameJson(a: JsonText, b: JsonText): boolean {
  return compact(a.trim()) === compact(b.trim());
}

function compact(text: JsonText): string {
  if (text.length > longest) return text;
  try {
    return exactText(parseExact(text));
  } catch {
    return text;
  }
}
