/** Checks JSON text in small steps and notes where the members of the outermost object lie. */

import type { JsonText } from '../spec/json.ts';

const stepChars = 65_536;
const deepest = 10_000;

type Expected =
  'value' | 'first value' | 'key' | 'first key' | 'colon' | 'comma' | 'string' | 'nothing';

/**
 * Gives the exact source text of each member of the object that `text` is; of several with the same key the last, as `JSON.parse` has it.
 * Takes and refuses exactly what `JSON.parse` does (but for other values than objects, and nesting beyond 10,000 levels).
 * @throws SyntaxError that names the position
 */
export function* scanObject(text: JsonText): Generator<undefined, Map<string, JsonText>> {
  const scanner = new Scanner(text);
  while (!scanner.advance(stepChars)) yield undefined;
  return scanner.members;
}

class Scanner {
  readonly members = new Map<string, JsonText>();
  readonly #text: string;
  #at = 0;
  #expected: Expected = 'value';
  /** Closing brackets still to come. */
  readonly #open: ('}' | ']')[] = [];
  #stringIsKey = false;
  #stringStart = 0;
  #memberKey = '';
  #memberStart = 0;
  readonly #plain = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
  readonly #escaped = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

  constructor(text: string) {
    this.#text = text;
    const first = /[^ \t\n\r]/.exec(text);
    if (first !== null && first[0] !== '{') this.#refuse('an object', first.index);
  }

  /** Goes on for about that many characters; true at the end of the text. */
  advance(chars: number): boolean {
    const text = this.#text;
    const until = Math.min(text.length, this.#at + chars);
    while (this.#at < until) {
      if (this.#expected === 'string') {
        this.#string(until);
      } else if (isSpace(text.charCodeAt(this.#at))) {
        this.#at += 1;
      } else {
        this.#token(text.charAt(this.#at));
      }
    }
    if (this.#at < text.length) return false;
    if (this.#expected !== 'nothing') this.#refuse('more text');
    return true;
  }

  #token(char: string): void {
    const expected = this.#expected;
    const closing = this.#open.at(-1);
    const mayClose = expected === 'first key' || expected === 'first value' || expected === 'comma';
    if (mayClose && char === closing) return this.#close();
    switch (expected) {
      case 'value':
      case 'first value':
        return this.#value(char);
      case 'key':
      case 'first key':
        if (char !== '"') this.#refuse('a key in double quotes');
        return this.#startString(true);
      case 'colon':
        if (char !== ':') this.#refuse('":"');
        this.#at += 1;
        this.#expected = 'value';
        if (this.#open.length === 1) this.#memberStart = this.#at;
        return;
      case 'comma':
        if (char !== ',') this.#refuse(`"," or "${closing ?? ''}"`);
        this.#at += 1;
        this.#expected = closing === '}' ? 'key' : 'value';
        return;
      default:
        this.#refuse('the end of the text');
    }
  }

  #value(char: string): void {
    if (char === '"') return this.#startString(false);
    if (char === '{' || char === '[') return this.#openBracket(char);
    this.#plain.lastIndex = this.#at;
    if (!this.#plain.test(this.#text)) this.#refuse('a value');
    this.#at = this.#plain.lastIndex;
    this.#ended();
  }

  #openBracket(char: '{' | '['): void {
    this.#open.push(char === '{' ? '}' : ']');
    if (this.#open.length > deepest) this.#refuse(`at most ${deepest} levels of nesting`);
    this.#at += 1;
    this.#expected = char === '{' ? 'first key' : 'first value';
  }

  #startString(isKey: boolean): void {
    this.#stringIsKey = isKey;
    this.#stringStart = this.#at;
    this.#at += 1;
    this.#expected = 'string';
  }

  #string(until: number): void {
    const text = this.#text;
    let at = this.#at;
    while (at < until) {
      const code = text.charCodeAt(at);
      if (code === 0x22) {
        this.#at = at + 1;
        return this.#endString();
      }
      if (code < 0x20) this.#refuse('no unescaped control character in a string', at);
      at += code === 0x5c ? this.#escape(at) : 1;
    }
    this.#at = at;
  }

  #escape(at: number): number {
    this.#escaped.lastIndex = at;
    if (!this.#escaped.test(this.#text)) this.#refuse('a valid JSON escape', at);
    return this.#escaped.lastIndex - at;
  }

  #endString(): void {
    if (!this.#stringIsKey) return this.#ended();
    this.#expected = 'colon';
    if (this.#open.length === 1) {
      this.#memberKey = String(JSON.parse(this.#text.slice(this.#stringStart, this.#at)));
    }
  }

  #close(): void {
    this.#open.pop();
    this.#at += 1;
    this.#ended();
  }

  #ended(): void {
    this.#expected = this.#open.length === 0 ? 'nothing' : 'comma';
    if (this.#open.length !== 1) return;
    this.members.set(this.#memberKey, this.#text.slice(this.#memberStart, this.#at).trim());
  }

  #refuse(expected: string, at = this.#at): never {
    const found = at < this.#text.length ? JSON.stringify(this.#text.charAt(at)) : 'the end';
    throw new SyntaxError(`expected ${expected} at position ${at}, found ${found}`);
  }
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
