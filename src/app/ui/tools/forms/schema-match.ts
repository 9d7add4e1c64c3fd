/**
 * Tells whether a value matches a schema, to decide which conditions of a form hold. The code runs on the page's
 * thread, so the answer for slow patterns and large values is null: unknown.
 */

import { Budget } from '../../../../runtime/async/pace.ts';
import { exactMember } from '../../../../runtime/spec/exact-json.ts';
import { isObject, stringsIn } from '../../../../runtime/spec/guards.ts';
import type { Json, JsonObject } from '../../../../runtime/spec/json.ts';
import { memberOf, resolveReference } from '../page/schema-node.ts';
import { contentOf, isOfType, isSame, isTypeName, type JsonValue } from './json-value.ts';
import { isPattern } from '../../../../runtime/spec/schema-walk.ts';

/** Whether a value matches; null if that is unknown. */
export type Verdict = boolean | null;

const maxSteps = 2_000;
const deepest = 40;
/** Longest text that is compared with a pattern; characters. */
const longestMatched = 1_000;

/** @param root the document to which references are relative */
export function matches(schema: Json, value: JsonValue, root: JsonObject): Verdict {
  return new Matcher(root).matches(schema, value, 0);
}

const maxPatternChars = 200;
/** Optional parts and alternatives: each may double the ways to match. */
// @mutant a pattern of names with many alternatives does not run on the page => 4 -> 4_000
const maxPatternChoices = 4;

/**
 * Returns whether a pattern is certain to match quickly; only such patterns may run on the page's thread. It has at most one unbounded repetition, few optional parts and alternatives, no repeated groups and no
 * backreferences.
 */
export function isQuickPattern(pattern: string): boolean {
  if (pattern.length > maxPatternChars) return false;
  // Each escape, then each character class, becomes one character; a backreference becomes `(?`, which is refused below.
  const plain = pattern
    .replace(/\\[1-9k]/g, '(?')
    .replace(/\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|.)/gs, 'x')
    .replace(/\[[^\]]*\]/g, 'x');
  // @mutant a slow pattern of names does not run on the page => removed
  if (plain.includes('(?') || /\)\s*[*+{?]/.test(plain)) return false;
  if ((plain.match(/[*+]|\{\d*,\d*\}|\{\d{3,}/g) ?? []).length > 1) return false;
  if ((plain.match(/[?|]/g) ?? []).length > maxPatternChoices) return false;
  return isPattern(pattern);
}

class Matcher {
  readonly #root: JsonObject;
  readonly #budget = new Budget(maxSteps);

  constructor(root: JsonObject) {
    this.#root = root;
  }

  matches(schema: Json, value: JsonValue, depth: number): Verdict {
    if (typeof schema === 'boolean') return schema;
    if (!isObject(schema) || depth > deepest) return null;
    const matchInner = (each: Json, of = value): Verdict => this.matches(each, of, depth + 1);
    const verdicts: Verdict[] = [];
    for (const [keyword, operand] of Object.entries(schema)) {
      if (!this.#budget.take()) return null;
      const verdict = this.#keyword(schema, keyword, operand, value, matchInner);
      if (verdict === false) return false;
      verdicts.push(verdict);
    }
    return verdicts.includes(null) ? null : true;
  }

  #keyword(
    schema: JsonObject,
    keyword: string,
    operand: Json,
    value: JsonValue,
    inner: (schema: Json, value?: JsonValue) => Verdict,
  ): Verdict {
    switch (keyword) {
      case '$ref':
      case '$dynamicRef':
      case '$recursiveRef': {
        const target = resolveReference(schema, this.#root);
        return target === schema ? null : inner(target);
      }
      case 'type':
        return isOfType(value, [operand].flat().filter(isTypeName));
      case 'const':
        return isSame(value, exactMember(schema, 'const') ?? '');
      case 'enum':
        return (
          !Array.isArray(operand) ||
          operand.some((_, index) => isSame(value, exactMember(operand, index) ?? ''))
        );
      case 'not':
        return not(inner(operand));
      case 'allOf':
        return readList(operand, (all) => every(all.map((each) => inner(each))));
      case 'anyOf':
        return readList(operand, (all) => some(all.map((each) => inner(each))));
      case 'oneOf':
        return readList(operand, (all) => one(all.map((each) => inner(each))));
      case 'if': {
        const holds = inner(operand);
        const then = inner(memberOf(schema, 'then') ?? true);
        const otherwise = inner(memberOf(schema, 'else') ?? true);
        if (holds === null) return then === otherwise ? then : null;
        return holds ? then : otherwise;
      }
      case 'unevaluatedProperties':
      case 'unevaluatedItems':
        return operand === true || null;
    }
    if (value.kind === 'object') return inObject(schema, keyword, operand, value.members, inner);
    if (value.kind === 'array') return inArray(schema, keyword, operand, value.items, inner);
    if (value.kind === 'string') return inString(keyword, operand, contentOf(value));
    return value.kind !== 'number' || inNumber(schema, keyword, operand, Number(value.text));
  }
}

type Inner = (schema: Json, value?: JsonValue) => Verdict;

function inObject(
  schema: JsonObject,
  keyword: string,
  operand: Json,
  members: ReadonlyMap<string, JsonValue>,
  inner: Inner,
): Verdict {
  const isPresent = (name: string): boolean => members.has(name);
  switch (keyword) {
    case 'required':
      return stringsIn(operand).every(isPresent);
    case 'properties':
      return every(
        entries(operand).map(([name, each]) => {
          const memberValue = members.get(name);
          return memberValue === undefined || inner(each, memberValue);
        }),
      );
    case 'patternProperties':
      return members.size === 0 || null;
    case 'additionalProperties': {
      const declared = memberOf(schema, 'properties');
      const others = [...members].filter(
        ([name]) => !isObject(declared) || !Object.hasOwn(declared, name),
      );
      const isOpen = Object.hasOwn(schema, 'patternProperties') && others.length > 0;
      return isOpen ? null : every(others.map(([, each]) => inner(operand, each)));
    }
    case 'propertyNames':
      return every(
        [...members.keys()].map((name) =>
          inner(operand, { kind: 'string', text: JSON.stringify(name) }),
        ),
      );
    case 'minProperties':
      return members.size >= Number(operand);
    case 'maxProperties':
      return members.size <= Number(operand);
    case 'dependentRequired':
    case 'dependentSchemas':
    case 'dependencies':
      return every(
        entries(operand)
          .filter(([name]) => isPresent(name))
          .map(([, each]) =>
            Array.isArray(each) ? stringsIn(each).every(isPresent) : inner(each),
          ),
      );
    default:
      return true;
  }
}

function inArray(
  schema: JsonObject,
  keyword: string,
  operand: Json,
  items: readonly JsonValue[],
  inner: Inner,
): Verdict {
  const listedFirst = memberOf(schema, 'prefixItems') ?? memberOf(schema, 'items');
  const first = Array.isArray(listedFirst) ? listedFirst.length : 0;
  const counted = (each: Json): readonly Verdict[] => items.map((item) => inner(each, item));
  switch (keyword) {
    case 'prefixItems':
    case 'items':
    case 'additionalItems':
      if (Array.isArray(operand))
        return every(operand.slice(0, items.length).map((each, at) => inner(each, items[at])));
      if (keyword === 'additionalItems' && first === 0) return true;
      return every(items.slice(first).map((item) => inner(operand, item)));
    case 'contains': {
      const found = counted(operand);
      const least = memberOf(schema, 'minContains');
      const max = memberOf(schema, 'maxContains');
      const sure = found.filter((each) => each === true).length;
      const maybe = sure + found.filter((each) => each === null).length;
      const lower = typeof least === 'number' ? least : 1;
      const upper = typeof max === 'number' ? max : Infinity;
      if (maybe < lower || sure > upper) return false;
      return (sure >= lower && maybe <= upper) || null;
    }
    case 'minItems':
      return items.length >= Number(operand);
    case 'maxItems':
      return items.length <= Number(operand);
    case 'uniqueItems':
      return (
        operand !== true ||
        (items.length > 50
          ? null
          : items.every((item, at) => !items.slice(0, at).some((each) => isSame(each, item.text))))
      );
    default:
      return true;
  }
}

function inString(keyword: string, operand: Json, content: string): Verdict {
  switch (keyword) {
    case 'minLength':
      return Array.from(content).length >= Number(operand);
    case 'maxLength':
      return Array.from(content).length <= Number(operand);
    case 'pattern':
      return typeof operand === 'string' &&
        content.length <= longestMatched &&
        // @mutant a slow pattern of a condition does not run on the page => isQuickPattern(operand) -> true
        //   [src/app/ui/tools/forms/conditional-fields.test.ts]
        isQuickPattern(operand)
        ? new RegExp(operand, 'u').test(content)
        : null;
    default:
      return true;
  }
}

function inNumber(schema: JsonObject, keyword: string, operand: Json, number: number): Verdict {
  const bound = Number(operand);
  switch (keyword) {
    case 'minimum':
      return memberOf(schema, 'exclusiveMinimum') === true ? number > bound : number >= bound;
    case 'maximum':
      return memberOf(schema, 'exclusiveMaximum') === true ? number < bound : number <= bound;
    case 'exclusiveMinimum':
      return typeof operand === 'boolean' || number > bound;
    case 'exclusiveMaximum':
      return typeof operand === 'boolean' || number < bound;
    case 'multipleOf':
      return Number.isSafeInteger(number) && Number.isSafeInteger(bound) && bound !== 0
        ? number % bound === 0
        : null;
    default:
      return true;
  }
}

function entries(operand: Json): readonly (readonly [string, Json])[] {
  return isObject(operand) ? Object.entries(operand) : [];
}

function readList(operand: Json, read: (all: readonly Json[]) => Verdict): Verdict {
  return Array.isArray(operand) ? read(operand) : null;
}

function not(verdict: Verdict): Verdict {
  return verdict === null ? null : !verdict;
}

function every(all: readonly Verdict[]): Verdict {
  if (all.includes(false)) return false;
  return all.includes(null) ? null : true;
}

function some(all: readonly Verdict[]): Verdict {
  return not(every(all.map(not)));
}

function one(all: readonly Verdict[]): Verdict {
  const sure = all.filter((each) => each === true).length;
  if (sure > 1) return false;
  return all.includes(null) ? null : sure === 1;
}
