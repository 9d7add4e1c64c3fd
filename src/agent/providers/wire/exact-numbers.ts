/**
 * Preserves the spelling of numbers and the order of keys when JSON is parsed to JavaScript values, by marking them as
 * strings.
 */

import type { JsonText } from '../../../runtime/spec/json.ts';
import { replaceTokens, skipSpace, tokenKind } from '../../../runtime/spec/json-tokens.ts';

export class ExactNumbers {
  /** A random mark, which no text that is read can contain. */
  readonly #mark = `exact-${crypto.randomUUID()}-`;
  readonly #key: string;

  /** @param key marks are set inside the objects that are values of this key */
  constructor(key: string) {
    this.#key = key;
  }

  /** Sets marks in JSON text, or in a line that contains it. */
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
      else if (first !== ',') return this.#markToken(text.slice(start, end), isName(text, end));
      return undefined;
    });
  }

  /** Removes the marks from JSON text, which restores the original spelling. */
  restore(text: JsonText): JsonText {
    return text
      .replaceAll(new RegExp(`"${this.#mark}n([^"]*)"`, 'g'), '$1')
      .replaceAll(`"${this.#mark}k`, '"');
  }

  #markToken(token: string, isName: boolean): string | undefined {
    // JavaScript moves keys that look like an index to the front.
    if (isName) return /^"\d+"$/.test(token) ? `"${this.#mark}k${token.slice(1)}` : undefined;
    // @mutant numbers of a model are not rounded => String(Number(token)) === token -> token.length > 0
    //   [src/agent/providers/wire/exact.test.ts]
    if (!/^[-\d]/.test(token) || String(Number(token)) === token) return undefined;
    return `"${this.#mark}n${token}"`;
  }
}

/** Returns whether the string that ends at `end` is the name of a member. */
function isName(text: string, end: number): boolean {
  return text.charAt(skipSpace(text, end)) === ':';
}
