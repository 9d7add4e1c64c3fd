/** Finds the first syntax error in a JSON text, with hints for users who write Python. */

import { JsonReader, type Expected, type JsonMistake } from '../../../runtime/spec/json-reader.ts';

export interface JsonFault {
  /** Offset in the text, from 0. */
  readonly offset: number;
  /** 1-based, like `column`. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** The first fault of a text; null if it is valid JSON. */
export function jsonFault(text: string): JsonFault | null {
  try {
    JSON.parse(text);
    return null;
  } catch {
    const mistake = new JsonReader(text).advance(text.length);
    // JSON.parse rejects exactly what the grammar does.
    if (typeof mistake === 'string') return null;
    const before = text.slice(0, mistake.start).split('\n');
    return {
      offset: mistake.start,
      line: before.length,
      column: (before.at(-1)?.length ?? 0) + 1,
      message: faultMessage(text, mistake),
    };
  }
}

function faultMessage(text: string, { start, expected, closing }: JsonMistake): string {
  if (expected === 'the end') return 'Unexpected text after the end of the value';
  if (start >= text.length) return `Unexpected end: ${missingText(expected, closing)} is missing`;
  if (expected === 'comma') return `Expected a comma or ${closing ?? ''}`;
  if (expected === 'colon') return 'Expected a colon after the name';
  return complaint(text, start, expected.endsWith('key'));
}

function missingText(expected: Expected, closing: string | undefined): string {
  if (expected === 'comma' || expected === 'first key') return `a closing ${closing ?? ''}`;
  if (expected === 'key') return 'a name in quotes';
  return expected === 'colon' ? 'a colon' : 'a value';
}

const wordHints: Record<string, string> = {
  True: 'use true',
  False: 'use false',
  None: 'use null',
  NaN: 'JSON has no NaN',
  Infinity: 'JSON has no Infinity',
  undefined: 'use null',
};

function complaint(text: string, at: number, isKey: boolean): string {
  const character = text.charAt(at);
  const word = /[-+]?[A-Za-z_]\w*/y;
  word.lastIndex = at;
  const name = word.exec(text)?.[0];
  if (character === "'") return 'JSON strings need double quotes';
  if (character === '"')
    return 'This string is not closed, or contains a line break or an invalid escape';
  if (character === '}' || character === ']') return 'Trailing commas are not allowed in JSON';
  if (character === '#' || text.startsWith('//', at)) return 'Comments are not allowed in JSON';
  if (isKey) return 'Expected a name in double quotes';
  if (name !== undefined)
    return `${name} is not JSON: ${wordHints[name.replace(/^[-+]/, '')] ?? 'strings need double quotes'}`;
  return /[-+.\d]/.test(character) ? 'Not a valid JSON number' : 'Expected a value';
}
