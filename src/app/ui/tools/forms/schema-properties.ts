/** Reads the properties of a schema: those that it declares, that its alternatives require, and that its conditions add. */

import type { Budget } from '../../../../runtime/async/pace.ts';
import { asObject, isObject, stringsIn } from '../../../../runtime/spec/guards.ts';
import type { Json, JsonObject } from '../../../../runtime/spec/json.ts';
import { memberOf } from '../page/schema-node.ts';
import { isQuickPattern, matches } from './schema-match.ts';
import type { JsonValue, ObjectValue } from './json-value.ts';

/** Longest name that is compared with patterns; characters. */
const longestName = 100;

/**
 * The declared properties of all parts. A name that several parts declare must match all of their schemas. The schema of
 * a name that is always refused is `false`.
 */
export function propertiesOf(parts: readonly JsonObject[], budget: Budget): Map<string, Json> {
  const found = new Map<string, Json>();
  for (const part of parts)
    for (const [name, schema] of Object.entries(asObject(memberOf(part, 'properties')))) {
      if (!budget.take()) return found;
      const before = found.get(name);
      if (isNever(schema) || before === false) found.set(name, false);
      else if (before === undefined || before === true) found.set(name, schema);
      else if (schema !== true && schema !== before) found.set(name, { allOf: [before, schema] });
    }
  for (const part of parts) {
    for (const name of forbiddenNames(memberOf(part, 'not')))
      if (found.has(name)) found.set(name, false);
    for (const name of closedTo(part, found.keys(), budget)) found.set(name, false);
  }
  return found;
}

/** Returns whether no value matches a schema. */
export function isNever(schema: Json): boolean {
  if (schema === false) return true;
  const not = isObject(schema) ? memberOf(schema, 'not') : undefined;
  return not === true || (isObject(not) && Object.keys(not).length === 0);
}

/** Lists of names. An object must have all names of at least one list. */
export type Need = readonly (readonly string[])[];

const maxLists = 100;

/** The needs that `anyOf` and `oneOf` express; none if an alternative requires no names. */
export function needsOf(unions: readonly (readonly Json[])[]): readonly Need[] {
  return unions
    .map((union) =>
      union
        .slice(0, maxLists)
        .map((each) => (isObject(each) ? stringsIn(memberOf(each, 'required')) : [])),
    )
    .filter((need) => need.length > 0 && need.every((names) => names.length > 0));
}

/**
 * Returns the names that an object lacks, for the alternative that lacks the fewest, with words about the others.
 * @param isAllowed whether the object may have a name
 */
export function findNeededNames(
  needs: readonly Need[],
  { members }: ObjectValue,
  isAllowed: (name: string) => boolean,
): ReadonlyMap<string, string> {
  const needed = new Map<string, string>();
  for (const need of needs) {
    const left = need
      .map((names) => names.filter((name) => !members.has(name)))
      .filter((names) => names.every(isAllowed));
    const fewest = left.toSorted((one, other) => one.length - other.length)[0] ?? [];
    const others = left.filter((names) => names !== fewest).map((names) => names.join(' and '));
    const words =
      others.length === 0 ? 'is required' : `is required, unless you enter ${others.join(', or ')}`;
    for (const name of fewest) needed.set(name, words);
  }
  return needed;
}

/** Keywords whose schemas apply only to objects with a property. */
const dependent = ['dependentSchemas', 'dependentRequired', 'dependencies'] as const;

/** Returns whether a part has schemas that apply only to some values. */
export function isConditional(part: JsonObject): boolean {
  return ['if', ...dependent].some((key) => Object.hasOwn(part, key));
}

/**
 * The schemas that a part adds for a value.
 * @param root the document to which references are relative
 */
export function findAddedSchemas(
  part: JsonObject,
  value: JsonValue,
  root: JsonObject,
): readonly JsonObject[] {
  const added: (Json | undefined)[] = [];
  const condition = memberOf(part, 'if');
  if (condition !== undefined) {
    const then = memberOf(part, 'then');
    const otherwise = memberOf(part, 'else');
    const holds = matches(condition, value, root);
    if (holds === null) added.push(fieldsOfBoth(then, otherwise));
    else added.push(holds ? then : otherwise);
  }
  for (const key of dependent) {
    const operand = memberOf(part, key);
    if (value.kind !== 'object' || !isObject(operand)) continue;
    for (const [name, each] of Object.entries(operand))
      if (value.members.has(name)) added.push(Array.isArray(each) ? { required: each } : each);
  }
  return added.filter(isObject);
}

/** The names that `additionalProperties: false` and a list of names in `propertyNames` refuse. */
function closedTo(part: JsonObject, names: Iterable<string>, budget: Budget): readonly string[] {
  const listed = memberOf(asObject(memberOf(part, 'propertyNames')), 'enum');
  const isClosed = memberOf(part, 'additionalProperties') === false;
  if (!isClosed && !Array.isArray(listed)) return [];
  const properties = asObject(memberOf(part, 'properties'));
  const patterns = Object.keys(asObject(memberOf(part, 'patternProperties')));
  return [...names].filter((name) => {
    if (Array.isArray(listed) && !listed.includes(name)) return true;
    return isClosed && !Object.hasOwn(properties, name) && !mayMatch(patterns, name, budget);
  });
}

function mayMatch(patterns: readonly string[], name: string, budget: Budget): boolean {
  return patterns.some(
    (pattern) =>
      name.length > longestName ||
      !isQuickPattern(pattern) ||
      !budget.take(5) ||
      new RegExp(pattern, 'u').test(name),
  );
}

/** Names that a schema under `not` forbids, because each of them alone makes that schema match. */
function forbiddenNames(not: Json | undefined): readonly string[] {
  if (!isObject(not)) return [];
  const [keyword, ...others] = Object.keys(not);
  if (others.length > 0) return [];
  if (keyword === 'anyOf')
    return Array.isArray(not.anyOf) ? not.anyOf.flatMap((each) => forbiddenNames(each)) : [];
  const names = stringsIn(memberOf(not, 'required'));
  return keyword === 'required' && names.length === 1 ? names : [];
}

/** The fields of both branches, none of them required, because it is unknown which branch applies. */
function fieldsOfBoth(then: Json | undefined, otherwise: Json | undefined): Json {
  const propertiesOf = (each: Json | undefined): JsonObject =>
    asObject(memberOf(asObject(each), 'properties'));
  return { properties: { ...propertiesOf(otherwise), ...propertiesOf(then) } };
}
