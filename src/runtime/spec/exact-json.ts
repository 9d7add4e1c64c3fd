/** Parses JSON to ordinary values, and remembers how numbers were written that JavaScript would write differently. */

import { isObject } from './guards.ts';
import type { Json, JsonObject, JsonText } from './json.ts';
import { stringEnd, stringValue, tokenEnd, tokenKind } from './json-tokens.ts';

type Holder = Json[] | JsonObject;

/** Spellings by the object or list that holds the numbers, and their key. */
const spellings = new WeakMap<Holder, Map<string, string>>();

/** Numbers such as 3.0, 1e5, -0 or 12345678901234567890, though also digits inside strings. */
const maybeInexact = /\d\.\d*0(?!\d)|\d[eE]|-0|\d{16}|\.\d{16}/;

/** Like `JSON.parse`, but {@link exactText} can write the numbers of the value as they were. */
export function parseExact(text: JsonText): Json {
  const value = JSON.parse(text) as Json;
  if (maybeInexact.test(text)) remember(text, value);
  return value;
}

/** Like {@link exactText}, and as fast as `JSON.stringify` if the whole text that the value is from has no such number. */
export function exactWriter(whole: JsonText): (value: Json) => JsonText {
  return maybeInexact.test(whole) ? exactText : JSON.stringify;
}

/** The JSON text of a value from {@link parseExact}, or of any other value, on one line. */
export function exactText(value: Json): JsonText {
  if (Array.isArray(value)) {
    const known = spellings.get(value);
    return `[${value.map((item, index) => known?.get(String(index)) ?? exactText(item)).join(', ')}]`;
  }
  if (isObject(value)) {
    const own = spellings.get(value);
    const members = Object.entries(value).map(
      ([key, item]) => `${JSON.stringify(key)}: ${own?.get(key) ?? exactText(item)}`,
    );
    return `{${members.join(', ')}}`;
  }
  return JSON.stringify(value);
}

/** The JSON text of a member of an object or list; undefined if it has none. */
export function exactMember(holder: Holder, key: string | number): JsonText | undefined {
  if (!Object.hasOwn(holder, key)) return undefined;
  const value = (holder as JsonObject)[key];
  return value === undefined
    ? undefined
    : (spellings.get(holder)?.get(String(key)) ?? exactText(value));
}

interface Level {
  /** Undefined inside a value that a later member of the same name replaces. */
  readonly holder: Holder | undefined;
  key: string | number;
  nameExpected: boolean;
}

/** Remembers spellings in one pass without recursion, since untrusted text may be deep. */
function remember(text: JsonText, root: Json): void {
  const levels: Level[] = [];
  let at = 0;
  while (at < text.length) {
    const level = levels.at(-1);
    const sign = text.charAt(at);
    const kind = tokenKind(text, at);
    const end = kind === 'string' ? stringEnd(text, at) : tokenEnd(text, at);
    if (sign === '{' || sign === '[') {
      const value = level === undefined ? root : memberAt(level);
      const holder = typeof value === 'object' && value !== null ? value : undefined;
      if (level?.holder !== undefined) note(level.holder, String(level.key), sign);
      levels.push({ holder, key: sign === '[' ? 0 : '', nameExpected: sign === '{' });
    } else if (sign === '}' || sign === ']') levels.pop();
    else if (level !== undefined && sign === ',') {
      if (typeof level.key === 'number') level.key += 1;
      else level.nameExpected = true;
    } else if (level?.nameExpected === true && kind === 'string') {
      level.key = stringValue(text.slice(at, end));
      level.nameExpected = false;
    } else if (level?.holder !== undefined && (kind === 'plain' || kind === 'string'))
      note(level.holder, String(level.key), text.slice(at, end));
    at = end;
  }
}

function memberAt({ holder, key }: Level): Json | undefined {
  return holder !== undefined && Object.hasOwn(holder, key)
    ? (holder as JsonObject)[key]
    : undefined;
}

function note(holder: Holder, key: string, token: string): void {
  const known = spellings.get(holder);
  const isSame = !/^[-\d]/.test(token) || JSON.stringify(Number(token)) === token;
  if (isSame) known?.delete(key);
  else if (known === undefined) spellings.set(holder, new Map([[key, token]]));
  else known.set(key, token);
}
