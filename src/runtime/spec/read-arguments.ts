/** Reads the arguments of a call as a model or its server wrote them, if they can mean only one object. */

import { isObject, parseJson } from './guards.ts';
import type { Json, JsonText } from './json.ts';
import { scalarEnd, skipSpace, tokenEnd, tokenKind } from './json-tokens.ts';

/** The fault of arguments. `in-text` is the fault of a call that the server left in the text. */
export type ArgumentFault =
  | 'null'
  | 'double-encoded'
  | 'repeated'
  | 'empty-first'
  | 'surrounded'
  | 'characters'
  | 'syntax'
  | 'in-text';

interface ReadArguments {
  /** A JSON object. Numbers keep their spelling. */
  readonly text: JsonText;
  readonly fault: ArgumentFault | null;
}

/** Maximum number of times that a value may be encoded as a string. */
const maxEncodings = 3;

/** Text before a value: tags such as `<tool_call>`, tokens such as `<|message|>`, and the start of a code fence. */
const before = /^(?:\s|<[\w:.-]{1,40}>|<[|｜][^<>]{1,40}[|｜]>|```\w{0,10})*/u;
/** Text after a value: closing tags and tokens, the end of a code fence, and superfluous brackets. */
const after = /^(?:\s|<\/[\w:.-]{1,40}>|<[|｜][^<>]{1,40}[|｜]>|\[\/[A-Z_]{1,20}\]|```|[}\]])*$/u;

/** Returns the one object that the text can mean; null if there is none, or more than one. */
export function readArguments(written: string): ReadArguments | null {
  return readAt(written, 0);
}

/** Returns whether two JSON texts have the same value. The order of members does not matter, the spelling of numbers does. */
export function isSameJson(one: JsonText, other: JsonText): boolean {
  if (one === other) return true;
  return numbersIn(one) === numbersIn(other) && sortedJson(one) === sortedJson(other);
}

function readAt(written: string, encodings: number): ReadArguments | null {
  const text = written.trim();
  if (text === '') return { text: '{}', fault: null };
  const value = parseJson(text);
  if (isObject(value)) return { text, fault: null };
  if (value === null) return { text: '{}', fault: 'null' };
  if (typeof value === 'string') return encoded(value, encodings);
  return value === undefined ? readSpoiled(text, encodings) : null;
}

function encoded(inner: string, encodings: number): ReadArguments | null {
  if (encodings === maxEncodings) return null;
  const read = readAt(inner, encodings + 1);
  return read === null ? null : { text: read.text, fault: 'double-encoded' };
}

/** Reads one value, or several that all mean the same object. */
function readSpoiled(text: string, encodings: number): ReadArguments | null {
  const start = before.exec(text)?.[0].length ?? 0;
  const values: ReadArguments[] = [];
  let at = start;
  for (;;) {
    at = skipSpace(text, at);
    const value = valueAt(text, at);
    if (value === null) break;
    const read =
      value.fault === null ? readAt(text.slice(at, value.end), encodings) : readIfObject(value);
    if (read === null) return null;
    values.push(read);
    at = value.end;
  }
  if (!after.test(text.slice(at))) return null;
  const meant = values.filter((read) => !isEmpty(read));
  const first = meant[0] ?? values[0];
  // Unquoted text, such as an apology, is not a value.
  if (first === undefined) return null;
  if (meant.some((read) => !isSameJson(read.text, first.text))) return null;
  const surrounded = start > 0 || text.slice(at).trim() !== '' ? 'surrounded' : null;
  const several = meant.length > 1 ? 'repeated' : values.length > 1 ? 'empty-first' : null;
  return { text: first.text, fault: several ?? first.fault ?? surrounded };
}

function readIfObject({ json, fault }: SpoiledValue): ReadArguments | null {
  return isObject(parseJson(json)) ? { text: json, fault } : null;
}

function isEmpty({ text }: ReadArguments): boolean {
  return text.length < 100 && /^\{\s*\}$/.test(text);
}

interface SpoiledValue {
  readonly json: JsonText;
  readonly end: number;
  readonly fault: 'characters' | 'syntax' | null;
}

const closings: Readonly<Record<string, string>> = { '{': '}', '[': ']' };
const pythonWords: Readonly<Record<string, string>> = {
  True: 'true',
  False: 'false',
  None: 'null',
};

/**
 * Reads the value at an offset, and writes it as JSON. Accepts literal control characters in strings, the syntax of
 * Python, and commas before a closing bracket. Null if there is none.
 */
function valueAt(text: string, start: number): SpoiledValue | null {
  const pieces: string[] = [];
  const open: string[] = [];
  let fault: SpoiledValue['fault'] = null;
  let at = start;
  while (at < text.length) {
    const first = text.charAt(at);
    const token = first === '"' || first === "'" ? stringAt(text, at) : plainAt(text, at);
    if (token === null) return null;
    if (token.fault !== null) fault = fault === 'syntax' ? fault : token.fault;
    at = token.end;
    const closing = closings[first];
    if (closing !== undefined) open.push(closing);
    else if (first === '}' || first === ']') {
      if (open.pop() !== first) return null;
      if (pieces.at(-1) === ',' && closings[pieces.at(-2) ?? ''] === undefined) {
        pieces.pop();
        fault = 'syntax';
      }
    }
    // Spaces are dropped, so that a superfluous comma is the last piece.
    if (tokenKind(token.json, 0) !== 'space') pieces.push(token.json);
    if (open.length === 0) {
      const json = pieces.join('');
      return parseJson(json) === undefined ? null : { json, end: at, fault };
    }
  }
  return null;
}

function plainAt(text: string, at: number): SpoiledValue | null {
  const kind = tokenKind(text, at);
  if (kind === 'space' || kind === 'sign') {
    const end = tokenEnd(text, at);
    return { json: text.slice(at, end), end, fault: null };
  }
  const end = scalarEnd(text, at);
  if (end !== -1) return { json: text.slice(at, end), end, fault: null };
  const [word = ''] = /^\w+/.exec(text.slice(at, at + 10)) ?? [];
  const json = Object.hasOwn(pythonWords, word) ? pythonWords[word] : undefined;
  return json === undefined ? null : { json, end: at + word.length, fault: 'syntax' };
}

/** A piece of a string: an escape, a quote, a control character, or a run of others. */
const stringPiece = /\\[^]|["']|[\u0000-\u001f]|[^"'\\\u0000-\u001f]+/y; // eslint-disable-line no-control-regex

function stringAt(text: string, start: number): SpoiledValue | null {
  const quote = text.charAt(start);
  const pieces: string[] = [];
  let fault: SpoiledValue['fault'] = quote === '"' ? null : 'syntax';
  stringPiece.lastIndex = start + 1;
  for (;;) {
    const piece = stringPiece.exec(text)?.[0];
    if (piece === undefined) return null;
    if (piece === quote) break;
    if (piece === '"') pieces.push('\\"');
    // JSON has no escape for a single quote, and the quote has no other meaning.
    else if (piece === "\\'") {
      pieces.push("'");
      fault = 'syntax';
    } else if (piece.charCodeAt(0) < 0x20) {
      pieces.push(JSON.stringify(piece).slice(1, -1));
      fault ??= 'characters';
    } else pieces.push(piece);
  }
  const end = stringPiece.lastIndex;
  return { json: `"${pieces.join('')}"`, end, fault };
}

function numbersIn(text: JsonText): string {
  const numbers: string[] = [];
  let at = 0;
  while (at < text.length) {
    const end = tokenEnd(text, at);
    if (/[-\d]/.test(text.charAt(at))) numbers.push(text.slice(at, end));
    at = end;
  }
  return numbers.sort().join(' ');
}

/** The text with members in alphabetical order; the text itself if it is nested too deep. */
function sortedJson(text: JsonText): JsonText {
  try {
    return JSON.stringify(JSON.parse(text), (_key, value: Json) =>
      isObject(value)
        ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
        : value,
    );
  } catch {
    return text;
  }
}
