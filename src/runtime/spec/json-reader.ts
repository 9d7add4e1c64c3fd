/** Checks JSON text by its grammar, in steps and without recursion: finds the first mistake, or the exact text of the members of an object. */

import { quote, scalarEnd, skipSpace, tokenKind, validUntil } from './json-tokens.ts';
import type { JsonText } from './json.ts';

/**
 * The next token that the grammar allows. After a `first …` the closing bracket may come as well.
 */
export type Expected =
  'value' | 'first value' | 'key' | 'first key' | 'colon' | 'comma' | 'the end';

export interface JsonMistake {
  /** Offset of the wrong character; the length of the text if it ends too early. */
  readonly offset: number;
  /** Where the token with that character starts. */
  readonly start: number;
  readonly expected: Expected;
  /** The innermost unclosed bracket. */
  readonly closing: '}' | ']' | undefined;
  readonly tooDeep: boolean;
}

export interface ReaderOptions {
  /** Limit of nesting; absent means no limit. */
  readonly deepest?: number;
  /** Called for each member of the outermost object, in order; `key` is the text of its name. */
  readonly onMember?: (key: string, value: string) => void;
  /**
   * Called for each item of a list that is a member of the outermost object, before `onMember`.
   * @param values number of values in it, including itself
   */
  readonly onItem?: (item: string, values: number) => void;
}

/** Reads JSON text in steps. A private method that returns false has found a mistake at the current offset. */
export class JsonReader {
  readonly #text: string;
  readonly #deepest: number;
  readonly #onMember: ReaderOptions['onMember'];
  readonly #onItem: ReaderOptions['onItem'];
  #at = 0;
  #expected: Expected = 'value';
  /** Whether a string has begun and not yet ended, and where it began. */
  #inString = false;
  #stringStart = 0;
  /** The closing brackets of the open lists and objects, the innermost last. */
  readonly #open: ('}' | ']')[] = [];
  #values = 0;
  /** The latest key of the outermost object, with its quotes, and where its value starts. */
  #memberKey = '';
  #memberStart = 0;
  /** Where the latest item of a list that is a member starts, and the number of values before it. */
  #itemStart = 0;
  #valuesBeforeItem = 0;

  constructor(text: string, { deepest = Infinity, onMember, onItem }: ReaderOptions = {}) {
    this.#text = text;
    this.#deepest = deepest;
    this.#onMember = onMember;
    this.#onItem = onItem;
  }

  /** Number of values so far. */
  get values(): number {
    return this.#values;
  }

  /** Reads about that many characters. @returns the first mistake, `done` at the end of valid text, or `more` */
  advance(chars: number): 'more' | 'done' | JsonMistake {
    const text = this.#text;
    const until = Math.min(text.length, this.#at + chars);
    while (this.#at < until) {
      if (this.#inString) {
        if (!this.#readString(until)) return this.#mistake();
      } else if (tokenKind(text, this.#at) === 'space') {
        this.#at = skipSpace(text, this.#at, until);
      } else if (!this.#readToken(text.charAt(this.#at))) return this.#mistake();
    }
    if (this.#at < text.length) return 'more';
    return this.#expected === 'the end' ? 'done' : this.#mistake();
  }

  #readToken(char: string): boolean {
    const expected = this.#expected;
    const closing = this.#open.at(-1);
    const mayClose = expected === 'first key' || expected === 'first value' || expected === 'comma';
    if (mayClose && char === closing) {
      this.#open.pop();
      return this.#endValue(this.#at + 1);
    }
    switch (expected) {
      case 'value':
      case 'first value':
        return this.#beginValue(char);
      case 'key':
      case 'first key':
        return char === '"' && this.#startString();
      case 'colon':
        return char === ':' && this.#pass('value');
      case 'comma':
        return char === ',' && this.#pass(closing === '}' ? 'key' : 'value');
      case 'the end':
        return false;
    }
  }

  /** Reads a number, `true`, `false` or `null`, or the first character of another value. */
  #beginValue(char: string): boolean {
    const depth = this.#open.length;
    if (depth === 1) this.#memberStart = this.#at;
    if (depth === 2) {
      this.#itemStart = this.#at;
      this.#valuesBeforeItem = this.#values;
    }
    this.#values += 1;
    if (char === '"') return this.#startString();
    if (char === '{' || char === '[') {
      const isObject = char === '{';
      this.#open.push(isObject ? '}' : ']');
      return depth < this.#deepest && this.#pass(isObject ? 'first key' : 'first value');
    }
    const end = scalarEnd(this.#text, this.#at);
    return end !== -1 && this.#endValue(end);
  }

  /** Moves past the current character. */
  #pass(expected: Expected): boolean {
    this.#at += 1;
    this.#expected = expected;
    return true;
  }

  #startString(): boolean {
    this.#inString = true;
    this.#stringStart = this.#at;
    this.#at += 1;
    return true;
  }

  /** Reads the rest of a string, which is a key or a value, as far as `until`. */
  #readString(until: number): boolean {
    this.#at = validUntil(this.#text, this.#at, until);
    if (this.#at >= until) return true;
    if (this.#text.charCodeAt(this.#at) !== quote) return false;
    this.#inString = false;
    if (this.#expected !== 'key' && this.#expected !== 'first key')
      return this.#endValue(this.#at + 1);
    this.#pass('colon');
    if (this.#open.length === 1) this.#memberKey = this.#text.slice(this.#stringStart, this.#at);
    return true;
  }

  #endValue(end: number): boolean {
    this.#at = end;
    this.#expected = this.#open.length === 0 ? 'the end' : 'comma';
    const [outermost, second] = this.#open;
    if (this.#open.length === 2 && outermost === '}' && second === ']')
      this.#onItem?.(this.#text.slice(this.#itemStart, end), this.#values - this.#valuesBeforeItem);
    if (this.#open.length === 1 && outermost === '}')
      this.#onMember?.(this.#memberKey, this.#text.slice(this.#memberStart, end));
    return true;
  }

  #mistake(): JsonMistake {
    return {
      offset: this.#at,
      start: this.#inString ? this.#stringStart : this.#at,
      expected: this.#expected,
      closing: this.#open.at(-1),
      tooDeep: this.#open.length > this.#deepest,
    };
  }
}

const stepChars = 65_536;
const deepestMember = 10_000;

/**
 * Gives the exact source text of each member of the object that `text` is; of several with the same key the last, as `JSON.parse` has it.
 * Takes and refuses exactly what `JSON.parse` does (but for other values than objects, and nesting beyond 10,000 levels).
 * Yields after each step of 65,536 characters.
 * @throws SyntaxError that names the position
 */
export function* scanObject(text: JsonText): Generator<undefined, Map<string, JsonText>> {
  const start = skipSpace(text, 0);
  if (start < text.length && text[start] !== '{') throwMistake(text, 'an object', start);
  const members = new Map<string, JsonText>();
  const reader = new JsonReader(text, {
    deepest: deepestMember,
    // @mutant numbers are not rounded on their way to Python => value), -> JSON.stringify(JSON.parse(value))),
    onMember: (key, value) => members.set(String(JSON.parse(key)), value),
  });
  for (;;) {
    const reached = reader.advance(stepChars);
    if (reached === 'done') return members;
    if (reached !== 'more') throwMistake(text, expectedText(reached, text), reached.offset);
    yield undefined;
  }
}

/** The members at once; null if the text is not an object. */
export function objectMembers(text: JsonText): Map<string, JsonText> | null {
  const scan = scanObject(text);
  try {
    for (;;) {
      const { done, value } = scan.next();
      if (done === true) return value;
    }
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return null;
    throw thrown;
  }
}

const words: Readonly<Record<Exclude<Expected, 'comma'>, string>> = {
  value: 'a value',
  'first value': 'a value',
  key: 'a key in double quotes',
  'first key': 'a key in double quotes',
  colon: '":"',
  'the end': 'the end of the text',
};

function expectedText(
  { offset, start, expected, closing, tooDeep }: JsonMistake,
  text: string,
): string {
  if (tooDeep) return `at most ${deepestMember} levels of nesting`;
  if (offset >= text.length) return 'more text';
  if (start < offset)
    return text[offset] === '\\'
      ? 'a valid JSON escape'
      : 'no unescaped control character in a string';
  return expected === 'comma' ? `"," or "${closing ?? ''}"` : words[expected];
}

function throwMistake(text: string, expected: string, at: number): never {
  const found = at < text.length ? JSON.stringify(text.charAt(at)) : 'the end';
  throw new SyntaxError(`expected ${expected} at position ${at}, found ${found}`);
}
