/** Numbers and keys that a JavaScript value would respell, carried through it as marked strings. */

import type { JsonText } from '../../spec/json.ts';
import { replaceTokens, skipSpace, tokenKind } from '../../spec/json-tokens.ts';

export class ExactNumbers {
  /** Nobody who writes what is read can know it. */
  readonly #mark = `exact-${crypto.randomUUID()}-`;
  readonly #key: string;

  /** @param key of the objects in which spellings count */
  constructor(key: string) {
    this.#key = key;
  }

  /** JSON text, or a line with one in it, with marks inside the objects of the key. */
  mark(text: JsonText): JsonText {
    const key = `"${this.#key}"`;
    if (!text.includes(key)) return text;
    let depth = 0;
    let expected = false;
    return replaceTokens(text, (start, end) => {
      const first = text.charAt(start);
      const opens = first === '{' || first === '[';
      if (first === ':' || tokenKind(text, start) === 'space') return undefined;
      if (depth === 0) {
        if (expected && first === '{') depth = 1;
        expected = first === '"' && isName(text, end) && text.slice(start, end) === key;
      } else if (opens) depth += 1;
      else if (first === '}' || first === ']') depth -= 1;
      else if (first !== ',') return this.#marked(text.slice(start, end), isName(text, end));
      return undefined;
    });
  }

  /** JSON text that was made from such a value, as it was spelt. */
  restore(text: JsonText): JsonText {
    return text
      .replaceAll(new RegExp(`"${this.#mark}n([^"]*)"`, 'g'), '$1')
      .replaceAll(`"${this.#mark}k`, '"');
  }

  #marked(token: string, isName: boolean): string | undefined {
    // Keys that look like an index would come first.
    if (isName) return /^"\d+"$/.test(token) ? `"${this.#mark}k${token.slice(1)}` : undefined;
    if (!/^[-\d]/.test(token) || String(Number(token)) === token) return undefined;
    return `"${this.#mark}n${token}"`;
  }
}

/** Whether the string that ends there is the name of a member. */
function isName(text: string, end: number): boolean {
  return text.charAt(skipSpace(text, end)) === ':';
}
