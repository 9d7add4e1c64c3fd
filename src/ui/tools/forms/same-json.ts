/** Compares JSON texts regardless of their layout. */

import type { Json, JsonText } from '../../../spec/json.ts';

/** Longer ones are compared as they are. */
const longest = 20_000;

/** The texts that none of the others says. */
export function without(
  texts: readonly JsonText[],
  others: readonly JsonText[],
): readonly JsonText[] {
  const said = new Set(others.map(compact));
  return texts.filter((text) => !said.has(compact(text)));
}

function compact(text: JsonText): string {
  if (text.length > longest) return text;
  try {
    return JSON.stringify(JSON.parse(text) as Json);
  } catch {
    return text;
  }
}
