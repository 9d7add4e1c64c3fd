/** The types of JSON Schema, and whether an argument's value has one of them or equals another value. */

import type { Json, JsonText } from '../../../../runtime/spec/json.ts';
import { contentOf, type JsonValue, parseValue } from './json-value.ts';

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
