/** Finds the first syntax error in a JSON text, with hints for users who write Python. */

export interface JsonFault {
  /** Into the text, from 0. */
  readonly offset: number;
  /** Both 1-based. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** The first fault of a text, or null where it is JSON. */
export function jsonFault(text: string): JsonFault | null {
  try {
    JSON.parse(text);
    return null;
  } catch (thrown) {
    const found = firstFault(text);
    const offset = found?.offset ?? text.length;
    const before = text.slice(0, offset).split('\n');
    return {
      offset,
      line: before.length,
      column: (before.at(-1)?.length ?? 0) + 1,
      message: found?.message ?? (thrown instanceof Error ? thrown.message : String(thrown)),
    };
  }
}

interface Fault {
  readonly offset: number;
  readonly message: string;
}

/** A value is due, or what may follow one. */
type Due = 'value' | 'value or ]' | 'key' | 'key or }' | ':' | 'rest';

const afterComma = { '[': 'value', '{': 'key' } as const;
const wordHints: Record<string, string> = {
  True: 'use true',
  False: 'use false',
  None: 'use null',
  NaN: 'JSON has no NaN',
  Infinity: 'JSON has no Infinity',
  undefined: 'use null',
};
const scalar = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;
// eslint-disable-next-line no-control-regex -- JSON forbids raw control characters in strings.
const string = /"[^"\\\0-\x1f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\0-\x1f]*)*"/y;

function firstFault(text: string): Fault | null {
  const open: ('[' | '{')[] = [];
  let due: Due = 'value';
  let at = 0;
  for (;;) {
    at = skipSpace(text, at);
    const character = text.charAt(at);
    const inside = open.at(-1);
    if (due === 'rest' && inside === undefined) {
      return at >= text.length
        ? null
        : { offset: at, message: 'Unexpected text after the end of the value' };
    }
    if (at >= text.length)
      return { offset: at, message: `Unexpected end: ${missing(due, inside)} is missing` };
    const closes = character === (inside === '{' ? '}' : ']');
    if (inside !== undefined && closes && (due === 'rest' || due.includes(' or '))) {
      open.pop();
      due = 'rest';
      at += 1;
    } else if (due === 'rest') {
      if (character !== ',')
        return { offset: at, message: `Expected a comma or ${inside === '{' ? '}' : ']'}` };
      due = afterComma[inside ?? '['];
      at += 1;
    } else if (due === ':') {
      if (character !== ':') return { offset: at, message: 'Expected a colon after the name' };
      due = 'value';
      at += 1;
    } else if (due.startsWith('value') && (character === '{' || character === '[')) {
      open.push(character);
      due = character === '{' ? 'key or }' : 'value or ]';
      at += 1;
    } else {
      const end =
        match(string, text, at) ?? (due.startsWith('value') ? match(scalar, text, at) : undefined);
      if (end === undefined) return { offset: at, message: complaint(text, at, due) };
      due = due.startsWith('key') ? ':' : 'rest';
      at = end;
    }
  }
}

function skipSpace(text: string, at: number): number {
  while (at < text.length && ' \t\n\r'.includes(text.charAt(at))) at += 1;
  return at;
}

function match(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function missing(due: Due, inside: '[' | '{' | undefined): string {
  if (due === 'rest') return inside === '{' ? 'a closing }' : 'a closing ]';
  if (due.startsWith('key')) return due === 'key' ? 'a name in quotes' : 'a closing }';
  return due === ':' ? 'a colon' : 'a value';
}

function complaint(text: string, at: number, due: Due): string {
  const character = text.charAt(at);
  const word = /[-+]?[A-Za-z_]\w*/y;
  word.lastIndex = at;
  const name = word.exec(text)?.[0];
  if (character === "'") return 'JSON strings need double quotes';
  if (character === '"')
    return 'This string is not closed, or contains a line break or an invalid escape';
  if (character === '}' || character === ']') return 'Trailing commas are not allowed in JSON';
  if (character === '#' || text.startsWith('//', at)) return 'Comments are not allowed in JSON';
  if (due.startsWith('key')) return 'Expected a name in double quotes';
  if (name !== undefined)
    return `${name} is not JSON: ${wordHints[name.replace(/^[-+]/, '')] ?? 'strings need double quotes'}`;
  return /[-+.\d]/.test(character) ? 'Not a valid JSON number' : 'Expected a value';
}
