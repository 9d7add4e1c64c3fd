/** Numbers and keys that a JavaScript value would respell, carried through it as marked strings. */

import type { JsonText } from '../../spec/json.ts';

/** Strings, brackets and numbers of JSON text; nothing else in it matters here. */
const tokens = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

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
    const start = `"${this.#key}"`;
    if (!text.includes(start)) return text;
    let depth = 0;
    let expected = false;
    return text.replace(tokens, (token: string, colon: string | undefined) => {
      if (depth > 0) {
        if (token === '{' || token === '[') depth += 1;
        else if (token === '}' || token === ']') depth -= 1;
        else return this.#marked(token, colon);
        return token;
      }
      if (expected && token === '{') depth = 1;
      expected = colon !== undefined && token.startsWith(start);
      return token;
    });
  }

  /** JSON text that was made from such a value, as it was spelt. */
  restore(text: JsonText): JsonText {
    return text
      .replaceAll(new RegExp(`"${this.#mark}n([^"]*)"`, 'g'), '$1')
      .replaceAll(`"${this.#mark}k`, '"');
  }

  #marked(token: string, colon: string | undefined): string {
    // Keys that look like an index would come first.
    if (colon !== undefined)
      return /^"\d+"/.test(token) ? `"${this.#mark}k${token.slice(1)}` : token;
    if (token.startsWith('"') || String(Number(token)) === token) return token;
    return `"${this.#mark}n${token}"`;
  }
}
