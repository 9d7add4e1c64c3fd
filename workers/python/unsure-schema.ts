/**
 * Removes parts of a schema that the argument check cannot judge, because some of its patterns or references are left
 * out.
 */

import { objectsIn } from '../../src/spec/depth.ts';
import { asObject } from '../../src/spec/guards.ts';
import type { Json, JsonObject } from '../../src/spec/json.ts';
import type { Reading } from './readable-pattern.ts';

/** Whether a schema or a part of it has a pattern or reference that is left out of the check. */
export function isUnsure(part: Json | undefined, reading: Reading, referencesToo = false): boolean {
  for (const { pattern, $ref, $dynamicRef, patternProperties } of objectsIn(part)) {
    if (typeof pattern === 'string' && reading(pattern) === null) return true;
    if (typeof $ref === 'string' && (referencesToo || !$ref.startsWith('#'))) return true;
    if (typeof $dynamicRef === 'string') return true;
    if (hasUnreadable(patternProperties, reading)) return true;
  }
  return false;
}

/**
 * Removes keywords from a copy that would reject valid arguments, since parts of them are left out: where an inner
 * schema allows more, `not`, `oneOf`, `if` and "all other properties" allow less.
 * @param schema the original of the copy
 */
export function withoutUnsure(copy: JsonObject, schema: JsonObject, reading: Reading): JsonObject {
  // The target of a reference may have parts that are left out, too, since some part of the whole schema has.
  const unsure = (key: string): boolean => isUnsure(schema[key], reading, true);
  const { not, oneOf, if: condition, then, else: otherwise, ...kept } = copy;
  if (not !== undefined && !unsure('not')) kept.not = not;
  if (oneOf !== undefined) {
    if (unsure('oneOf'))
      kept.allOf = [...(Array.isArray(kept.allOf) ? kept.allOf : []), { anyOf: oneOf }];
    else kept.oneOf = oneOf;
  }
  if (condition !== undefined && !unsure('if')) {
    kept.if = condition;
    if (then !== undefined) kept.then = then;
    if (otherwise !== undefined) kept.else = otherwise;
  }
  if (unsure('contains')) delete kept.maxContains;
  if (hasUnreadable(schema.patternProperties, reading)) delete kept.additionalProperties;
  if (isUnsure(schema, reading, true)) {
    delete kept.unevaluatedProperties;
    delete kept.unevaluatedItems;
  }
  return kept;
}

function hasUnreadable(patterns: Json | undefined, reading: Reading): boolean {
  return Object.keys(asObject(patterns)).some((pattern) => reading(pattern) === null);
}
