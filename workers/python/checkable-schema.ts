/** Prepares a schema for the argument check: only keywords, without what ECMAScript or the validator rejects. */

import { objectsIn } from '../../src/spec/depth.ts';
import { isObject, asObject } from '../../src/spec/guards.ts';
import type { Json, JsonObject } from '../../src/spec/json.ts';
import {
  decodedFragment,
  holdsSchemas,
  isSchemaKeyword,
  mapSchemas,
  pointerKeys,
  schemaNodes,
  type Holds,
} from '../../src/spec/schema-walk.ts';
import type { Reading } from './readable-pattern.ts';

/** Keywords whose value is data. */
const data = new Set([
  ...['$schema', '$anchor', '$recursiveRef', '$recursiveAnchor', 'type', 'enum', 'const'],
  ...['required', 'dependentRequired', 'format', 'multipleOf', 'uniqueItems'],
  ...['maximum', 'minimum', 'exclusiveMaximum', 'exclusiveMinimum'],
  ...['maxLength', 'minLength', 'maxItems', 'minItems', 'maxContains', 'minContains'],
  ...['maxProperties', 'minProperties'],
]);

/** A copy of the schema. The scan has already warned about patterns and references that are left out. */
export function checkable(schema: Json, reading: Reading): Json {
  if (!isObject(schema)) return schema;
  const pointedAt = pointerSteps(schema);
  const holds: Holds = (key, shape) =>
    isSchemaKeyword(key)
      ? holdsSchemas(key, shape)
      : shape !== 'map' && pointedAt.has(key) && !data.has(key);
  const { $schema } = schema;
  const draft4 = typeof $schema === 'string' && $schema.includes('draft-04');
  const idKey = draft4 ? 'id' : '$id';
  const ids = firstOwners(schema, idKey, holds);
  const unsure = isUnsure(schema, reading);

  const kept = (key: string, value: Json, original: JsonObject): Json | undefined => {
    if (key === 'patternProperties') return readNames(value, reading);
    if (key === 'pattern' && typeof value === 'string') return reading(value) ?? undefined;
    if (key === '$ref' && typeof value === 'string')
      return value.startsWith('#') ? value : undefined;
    if (data.has(key) || isSchemaKeyword(key) || pointedAt.has(key)) return value;
    return key === idKey && typeof value === 'string' && ids.get(value) === original
      ? value
      : undefined;
  };
  return mapSchemas(
    schema,
    (changed, original) => {
      // Defines own properties, also for a name such as `__proto__`.
      const copy: JsonObject = Object.fromEntries(
        Object.entries(changed).flatMap(([key, value]): [string, Json][] => {
          const own = kept(key, value, original);
          return own === undefined ? [] : [[key, own]];
        }),
      );
      return unsure ? withoutUnsure(copy, original, reading) : copy;
    },
    holds,
  );
}

function readNames(patterns: Json, reading: Reading): Json {
  if (!isObject(patterns)) return patterns;
  return Object.fromEntries(
    Object.entries(patterns).flatMap(([name, schema]): [string, Json][] => {
      const read = reading(name);
      return read === null ? [] : [[read, schema]];
    }),
  );
}

/** The first schema with each id, since the validator accepts an id once. */
function firstOwners(root: JsonObject, idKey: string, holds: Holds): Map<string, JsonObject> {
  const owners = new Map<string, JsonObject>();
  for (const { schema } of schemaNodes(root, holds)) {
    const id = schema[idKey];
    if (typeof id !== 'string' || id === '' || owners.has(id)) continue;
    if (URL.parse(id, 'https://schema.invalid/') !== null) owners.set(id, schema);
  }
  return owners;
}

/** Steps of the pointers in all `$ref`s: the keywords that they lead through are kept, whatever their names. */
function pointerSteps(root: JsonObject): Set<string> {
  const steps = new Set<string>();
  for (const { $ref } of objectsIn(root))
    if (typeof $ref === 'string' && $ref.startsWith('#/'))
      for (const step of pointerKeys(decodedFragment($ref.slice(1)))) steps.add(step);
  return steps;
}

/** Whether a schema or a part of it has a pattern or reference that is left out of the check. */
function isUnsure(part: Json | undefined, reading: Reading, referencesToo = false): boolean {
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
function withoutUnsure(copy: JsonObject, schema: JsonObject, reading: Reading): JsonObject {
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
