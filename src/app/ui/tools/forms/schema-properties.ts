/** Reads the properties that a schema declares, except names that it always refuses. */

import type { Budget } from '../../../../runtime/async/budget.ts';
import { asObject, isObject, stringsIn } from '../../../../runtime/spec/guards.ts';
import type { Json, JsonObject } from '../../../../runtime/spec/json.ts';
import { memberOf } from '../page/schema-node.ts';
import { isQuickPattern } from './quick-pattern.ts';

/** Longest name that is compared with patterns; characters. */
const longestName = 100;

/**
 * The properties of all parts. A name that several parts declare must match all of their schemas. The schema of a name
 * that is always refused is `false`.
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

/** Returns whether no value matches a schema. */
export function isNever(schema: Json): boolean {
  if (schema === false) return true;
  const not = isObject(schema) ? memberOf(schema, 'not') : undefined;
  return not === true || (isObject(not) && Object.keys(not).length === 0);
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
