/** Compares an argument's value with its schema's shape, with a limit on the cost. */

import { Budget } from '../../../async/budget.ts';
import type { JsonText } from '../../../spec/json.ts';
import type { FormSchema, Shape } from './form-schema.ts';
import type { TypeName } from './schema-types.ts';
import { contentOf, parseValue, type ArrayValue, type JsonValue } from './json-value.ts';

/** Whether the value has a type that the schema allows. */
export function isOfType(value: JsonValue, types: Shape['types']): boolean {
  return types === null || types.some((type) => hasType(value, type));
}

function hasType(value: JsonValue, type: TypeName): boolean {
  if (type !== 'integer') return value.kind === type;
  if (value.kind !== 'number') return false;
  const number = Number(value.text);
  // Numbers beyond JavaScript's range count as integers.
  return Number.isInteger(number) || !Number.isFinite(number);
}

/** Whether two values are equal in JSON Schema: 1.0 equals 1, and members may be in any order. Integers of any size are compared exactly. */
export function isSame(value: JsonValue, text: JsonText): boolean {
  if (value.text === text) return true;
  if (value.text.length > mostCompared || text.length > mostCompared) return false;
  const other = parseValue(text);
  return other !== null && isEqual(value, other);
}

/** Longer values are equal only if their texts are; characters. */
const mostCompared = 10_000;

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
  const [exact, otherExact] = [integer(one), integer(other)];
  if (exact !== null || otherExact !== null) return exact === otherExact;
  return Number(one) === Number(other);
}

/** The same text for all spellings of an integer, such as `1.0` and `10e-1`; null for other numbers. */
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

/** Most nested alternatives that are compared with a value, because they multiply at each level. */
const mostInner = 50;
const mostProperties = 50;
const mostItems = 5;
const mostListed = 200;

/** The index of the alternative that fits a value best. Matching constants count most. */
export function branchOf(
  schema: FormSchema,
  branches: readonly Shape[],
  value: JsonValue | undefined,
): number {
  if (value === undefined) return 0;
  const inner = new Budget(mostInner);
  let best = 0;
  let most = -Infinity;
  for (const [index, branch] of branches.entries()) {
    const score = scoreOf(schema, branch, value, inner);
    if (score > most) [best, most] = [index, score];
  }
  return best;
}

function scoreOf(schema: FormSchema, shape: Shape, value: JsonValue, inner: Budget): number {
  if (shape.branches !== null && inner.take(10))
    return Math.max(
      ...shape
        .branches()
        .slice(0, 10)
        .map((branch) => scoreOf(schema, branch, value, inner)),
    );
  if (!isOfType(value, shape.types)) return -1_000;
  if (shape.choices !== null) return isListed(shape, value) ? 20 : -500;
  if (value.kind === 'array')
    return (shape.types === null ? 0 : 1) + itemsScore(schema, shape, value);
  if (value.kind !== 'object') return shape.types === null ? 0 : 1;
  let score = shape.types === null ? 0 : 1;
  for (const name of shape.required) score += value.members.has(name) ? 1 : -2;
  for (const [name, member] of [...value.members].slice(0, mostProperties)) {
    const declared = schema.memberSchema(shape, name);
    const own = schema.shape(declared);
    const isExtra = !shape.properties.has(name);
    if (declared === false) score -= 3;
    // A constant identifies an alternative only under a name that the alternative declares.
    else if (own.choices !== null && isListed(own, member)) score += isExtra ? 1 : 20;
    else if (own.choices !== null) score -= own.choices.length === 1 && !isExtra ? 100 : 5;
    else if (!isOfType(member, own.types)) score -= 2;
    else score += isExtra && own.types === null ? -0.5 : 1;
  }
  return score;
}

function itemsScore(schema: FormSchema, shape: Shape, value: ArrayValue): number {
  let score = 0;
  for (const [index, item] of value.items.slice(0, mostItems).entries()) {
    const declared = schema.itemSchema(shape, index);
    const own = schema.shape(declared);
    const isMisfit = own.choices === null ? !isOfType(item, own.types) : !isListed(own, item);
    if (declared === false || isMisfit) score -= 2;
    else if (own.types !== null || own.choices !== null) score += 1;
  }
  return score;
}

function isListed({ choices }: Shape, value: JsonValue): boolean {
  return choices?.slice(0, mostListed).some(({ text }) => isSame(value, text)) === true;
}
