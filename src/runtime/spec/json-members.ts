/** Finds the exact source text of each member of a JSON object. */

import type { JsonText } from './json.ts';
import { JsonReader, type Expected, type JsonMistake } from './json-reader.ts';
import { skipSpace } from './json-tokens.ts';

const stepChars = 65_536;
const deepest = 10_000;

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
    deepest,
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
  if (tooDeep) return `at most ${deepest} levels of nesting`;
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
