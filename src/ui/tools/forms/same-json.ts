/** Compares JSON texts regardless of formatting. */

import type { Json, JsonText } from '../../../spec/json.ts';

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

function compact(text: JsonText): string {
  if (text.length > longest) return text;
  try {
    return JSON.stringify(JSON.parse(text) as Json);
  } catch {
    return text;
  }
}
