/** Reads Python values that are written out: dicts, lists, texts, numbers and words. */

import type { Json } from '../../runtime/spec/json.ts';

/** Deeper values are not read. */
const maxDepth = 60;

const words: Readonly<Record<string, Json>> = { True: true, False: false, None: null };

/**
 * Reads the value that begins at an offset. A member or item that is not written out, such as a name or a call, is
 * left out.
 * @returns undefined if the value itself is not written out
 */
export function readLiteral(text: string, offset: number): Json | undefined {
  return new LiteralReader(text, offset).value(0);
}

class LiteralReader {
  readonly #text: string;
  #at: number;

  constructor(text: string, offset: number) {
    this.#text = text;
    this.#at = offset;
  }

  /** Reads a whole expression, up to the comma or bracket that ends it. */
  value(depth: number): Json | undefined {
    if (depth > maxDepth) {
      this.#skip();
      return undefined;
    }
    this.#space();
    const value = this.#start(depth);
    this.#space();
    // The value is a part of a longer expression.
    if (depth > 0 && !/^(?:[,:)\]}]|$)/.test(this.#text.slice(this.#at, this.#at + 1))) {
      this.#skip();
      return undefined;
    }
    return value;
  }

  #start(depth: number): Json | undefined {
    const first = this.#text.charAt(this.#at);
    if (first === '{') return this.#dict(depth);
    if (first === '[' || first === '(') return this.#list(depth, first);
    const text = this.#string();
    if (text !== undefined) return text;
    const number = this.#match(/-?\d[\d_]*(?:\.\d*)?(?:e[+-]?\d+)?/iy);
    if (number !== '') return Number(number.replaceAll('_', ''));
    const word = this.#match(/(?:True|False|None)\b/y);
    if (word === '') this.#skip();
    return words[word];
  }

  #dict(depth: number): Json {
    const members: [string, Json][] = [];
    this.#at += 1;
    while (!this.#passClosing()) {
      const key = this.value(depth + 1);
      if (this.#text.charAt(this.#at) === ':') {
        this.#at += 1;
        const value = this.value(depth + 1);
        if (typeof key === 'string' && value !== undefined) members.push([key, value]);
      }
      this.#comma();
    }
    return Object.fromEntries(members);
  }

  #list(depth: number, opening: string): Json | undefined {
    const items: Json[] = [];
    let commas = 0;
    this.#at += 1;
    while (!this.#passClosing()) {
      const item = this.value(depth + 1);
      if (item !== undefined) items.push(item);
      if (this.#comma()) commas += 1;
    }
    return opening === '(' && commas === 0 ? items[0] : items;
  }

  /** Texts beside each other are one text. */
  #string(): string | undefined {
    let whole: string | undefined;
    for (;;) {
      const opening = this.#match(/[rRuU]?(?:"""|'''|"|')/y);
      if (opening === '') return whole;
      const quote = opening.replace(/^[a-z]/i, '');
      const isRaw = /^r/i.test(opening);
      let part = '';
      while (this.#at < this.#text.length && !this.#text.startsWith(quote, this.#at)) {
        const char = this.#text.charAt(this.#at);
        const next = this.#text.charAt(this.#at + 1);
        if (char === '\\') {
          part += isRaw ? char + next : ({ n: '\n', t: '\t', r: '\r', '\n': '' }[next] ?? next);
          this.#at += 2;
        } else {
          part += char;
          this.#at += 1;
        }
      }
      this.#at += quote.length;
      whole = (whole ?? '') + part;
      this.#space();
    }
  }

  /** Skips an expression that is not written out. */
  #skip(): void {
    let depth = 0;
    while (this.#at < this.#text.length) {
      const char = this.#text.charAt(this.#at);
      if (char === '"' || char === "'") {
        this.#string();
        continue;
      }
      if ('([{'.includes(char)) depth += 1;
      else if (')]}'.includes(char)) depth -= 1;
      if (depth < 0 || (depth === 0 && char === ',')) return;
      this.#at += 1;
    }
  }

  /** Passes a closing bracket. A bracket of another kind, as in broken source, also ends the value. */
  #passClosing(): boolean {
    this.#space();
    if (this.#at >= this.#text.length) return true;
    if (!/[)\]}]/.test(this.#text.charAt(this.#at))) return false;
    this.#at += 1;
    return true;
  }

  #comma(): boolean {
    this.#space();
    if (this.#text.charAt(this.#at) === ',') {
      this.#at += 1;
      return true;
    }
    if (/[)\]}]/.test(this.#text.charAt(this.#at))) return false;
    this.#skip();
    return false;
  }

  #space(): void {
    this.#match(/(?:\s|\\\n|#[^\n]*)*/y);
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [found = ''] = pattern.exec(this.#text) ?? [];
    this.#at += found.length;
    return found;
  }
}
