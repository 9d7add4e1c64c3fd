/**
 * JSON values for the argument form: parsed into a tree that keeps the text of each value, and compared with types of JSON
 * Schema and with other values.
 */

import type { Json, JsonText } from '../../../../runtime/spec/json.ts';
import {
  skipSpace,
  stringEnd,
  stringValue,
  tokenEnd,
} from '../../../../runtime/spec/json-tokens.ts';

export interface ScalarValue {
  readonly kind: 'string' | 'number' | 'boolean' | 'null';
  readonly text: JsonText;
}

export interface ObjectValue {
  readonly kind: 'object';
  readonly text: JsonText;
  /** The values by name. If a name occurs more than once, its last value. */
  readonly members: ReadonlyMap<string, JsonValue>;
}

export interface ArrayValue {
  readonly kind: 'array';
  readonly text: JsonText;
  readonly items: readonly JsonValue[];
}

export type JsonValue = ScalarValue | ObjectValue | ArrayValue;

/** Limits of a text that is shown as a form; values beyond them are edited as JSON. */
const maxValues = 20_000;
const deepestValue = 64;

/**
 * The tree of a valid JSON text; null if it has too many or too deeply nested values.
 * @param before an earlier tree; its unchanged parts are reused, so that they compare by identity
 */
export function parseValue(text: JsonText, before: JsonValue | null = null): JsonValue | null {
  const reader = new Reader(text);
  const value = reader.read(0);
  return value === null ? null : reuseUnchanged(value, before);
}

export function contentOf({ text }: JsonValue): string {
  return stringValue(text);
}

/** The member or the item of a value; undefined if there is none. */
export function valueInside(
  value: JsonValue | undefined,
  step: string | number,
): JsonValue | undefined {
  if (value?.kind === 'object') return value.members.get(String(step));
  return value?.kind === 'array' ? value.items[Number(step)] : undefined;
}

class Reader {
  readonly #text: string;
  #at = 0;
  #left = maxValues;

  constructor(text: string) {
    this.#text = text;
  }

  read(depth: number): JsonValue | null {
    const text = this.#text;
    this.#left -= 1;
    if (depth > deepestValue || this.#left < 0) return null;
    const start = skipSpace(text, this.#at);
    const first = text.charAt(start);
    if (first === '{') return this.#object(start, depth);
    if (first === '[') return this.#array(start, depth);
    this.#at = tokenEnd(text, start);
    return { kind: scalarKind(first), text: text.slice(start, this.#at) };
  }

  #object(start: number, depth: number): JsonValue | null {
    const members = new Map<string, JsonValue>();
    this.#at = skipSpace(this.#text, start + 1);
    while (this.#text.charAt(this.#at) !== '}') {
      const end = stringEnd(this.#text, this.#at);
      const name = stringValue(this.#text.slice(this.#at, end));
      this.#at = skipSpace(this.#text, end) + 1;
      const value = this.read(depth + 1);
      if (value === null) return null;
      members.set(name, value);
      this.#next();
    }
    this.#at += 1;
    return { kind: 'object', text: this.#text.slice(start, this.#at), members };
  }

  #array(start: number, depth: number): JsonValue | null {
    const items: JsonValue[] = [];
    this.#at = skipSpace(this.#text, start + 1);
    while (this.#text.charAt(this.#at) !== ']') {
      const item = this.read(depth + 1);
      if (item === null) return null;
      items.push(item);
      this.#next();
    }
    this.#at += 1;
    return { kind: 'array', text: this.#text.slice(start, this.#at), items };
  }

  /** Skips a comma and the space around it. */
  #next(): void {
    const at = skipSpace(this.#text, this.#at);
    this.#at = this.#text.charAt(at) === ',' ? skipSpace(this.#text, at + 1) : at;
  }
}

function scalarKind(first: string): ScalarValue['kind'] {
  if (first === '"') return 'string';
  if (first === 'n') return 'null';
  return first === 't' || first === 'f' ? 'boolean' : 'number';
}

function reuseUnchanged(value: JsonValue, before: JsonValue | null | undefined): JsonValue {
  if (before?.kind !== value.kind) return value;
  if (before.text === value.text) return before;
  if (value.kind === 'object' && before.kind === 'object') {
    const members = new Map<string, JsonValue>();
    for (const [name, member] of value.members)
      members.set(name, reuseUnchanged(member, before.members.get(name)));
    return { ...value, members };
  }
  if (value.kind === 'array' && before.kind === 'array')
    return {
      ...value,
      items: value.items.map((item, index) => reuseUnchanged(item, before.items[index])),
    };
  return value;
}

export type TypeName = 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'object' | 'array';

const typeNames: ReadonlySet<string> = new Set<TypeName>([
  'string',
  'number',
  'integer',
  'boolean',
  'null',
  'object',
  'array',
]);

export function isTypeName(value: Json): value is TypeName {
  return typeof value === 'string' && typeNames.has(value);
}

/** The types in both lists; `integer` is included in `number`. */
export function commonTypes(some: readonly TypeName[], others: readonly TypeName[]): TypeName[] {
  return some.flatMap((type): TypeName[] => {
    if (others.includes(type)) return [type];
    if (type === 'integer' && others.includes('number')) return ['integer'];
    return type === 'number' && others.includes('integer') ? ['integer'] : [];
  });
}

/** Returns whether the value has a type that the schema allows. */
export function isOfType(value: JsonValue, types: readonly TypeName[] | null): boolean {
  return types === null || types.some((type) => hasType(value, type));
}

function hasType(value: Pick<JsonValue, 'kind' | 'text'>, type: TypeName): boolean {
  if (type !== 'integer') return value.kind === type;
  if (value.kind !== 'number') return false;
  const number = Number(value.text);
  // Numbers beyond JavaScript's range count as integers.
  return Number.isInteger(number) || !Number.isFinite(number);
}

/** Returns whether JSON text is a value of a type that the schema allows. The text is not parsed: lists may be long. */
export function isTextOfType(text: JsonText, types: readonly TypeName[] | null): boolean {
  if (types === null) return true;
  const kind = kinds[text.charAt(0)] ?? 'number';
  return types.some((type) => hasType({ kind, text }, type));
}

/** Kinds of values by their first character; all others begin numbers. */
const kinds: Readonly<Record<string, JsonValue['kind']>> = {
  '"': 'string',
  '{': 'object',
  '[': 'array',
  t: 'boolean',
  f: 'boolean',
  n: 'null',
};

/** Returns whether two values are equal in JSON Schema: 1.0 equals 1, and members may be in any order. Integers of any size are compared exactly. */
export function isSame(value: JsonValue, text: JsonText): boolean {
  if (value.text === text) return true;
  if (value.text.length > maxCompared || text.length > maxCompared) return false;
  const other = parseValue(text);
  return other !== null && isEqual(value, other);
}

/** Characters up to which values are compared. Longer values are equal only if their texts are. */
const maxCompared = 10_000;

function isEqual(one: JsonValue, other: JsonValue): boolean {
  if (one.text === other.text) return true;
  if (one.kind === 'object' && other.kind === 'object')
    return (
      one.members.size === other.members.size &&
      [...one.members].every(([name, member]) => {
        const match = other.members.get(name);
        return match !== undefined && isEqual(member, match);
      })
    );
  if (one.kind === 'array' && other.kind === 'array')
    return (
      one.items.length === other.items.length &&
      one.items.every((item, index) => {
        const match = other.items[index];
        return match !== undefined && isEqual(item, match);
      })
    );
  if (one.kind !== other.kind) return false;
  if (one.kind === 'string') return contentOf(one) === contentOf(other);
  return one.kind === 'number' && isSameNumber(one.text, other.text);
}

/** Compares integers exactly, and other numbers as Python's floats. */
function isSameNumber(one: JsonText, other: JsonText): boolean {
  const exact = integer(one);
  const otherExact = integer(other);
  if (exact !== null || otherExact !== null) return exact === otherExact;
  return Number(one) === Number(other);
}

/** A common text for all spellings of an integer, such as `1.0` and `10e-1`; null for other numbers. */
function integer(text: JsonText): string | null {
  const [, sign = '', whole = '', fraction = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const all = whole + fraction;
  let end = all.length;
  while (all.charAt(end - 1) === '0') end -= 1;
  const digits = all.slice(0, end).replace(/^0+/, '');
  if (digits === '') return '0';
  const exponent = Number(power) - fraction.length + (all.length - end);
  return exponent < 0 ? null : `${sign}${digits}e${String(exponent)}`;
}
