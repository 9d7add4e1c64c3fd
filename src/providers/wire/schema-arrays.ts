/** Lists and bounds in a schema as providers take them: JSON Schema, and its drafts together, allow more. */

import { isObject, withSubschemas } from '../../scan/schema-nodes.ts';
import type { Json, JsonObject } from '../../spec/json.ts';

/** What only earlier drafts have, as 2020-12 has it. */
export function inDraft2020(schema: JsonObject): JsonObject {
  return withSubschemas(withNumericBounds(withPrefixItems(schema)), inDraft2020);
}

/** Each list says what is in it; a list of given places does so for all of them together. */
export function withItems(schema: JsonObject): JsonObject {
  const own = withPrefixItems(schema);
  const { type, items, prefixItems, maxItems } = own;
  const isList = type === 'array' || (Array.isArray(type) && type.includes('array'));
  const places = Array.isArray(prefixItems) ? prefixItems : null;
  if ((!isList && places === null) || isObject(items)) return withSubschemas(own, withItems);
  const told = {
    ...own,
    items: places === null ? {} : anyOf(places),
    ...(places !== null && items === false ? { maxItems: maxItems ?? places.length } : {}),
  };
  return withSubschemas(told, withItems);
}

/** `items: […]` was the way to write places before 2020-12. */
function withPrefixItems(schema: JsonObject): JsonObject {
  const { items, additionalItems, ...rest } = schema;
  if (!Array.isArray(items)) return schema;
  return {
    ...rest,
    // There has to be at least one.
    ...(items.length === 0 ? {} : { prefixItems: items }),
    ...(additionalItems === undefined ? {} : { items: additionalItems }),
  };
}

const bounds = [
  ['exclusiveMinimum', 'minimum'],
  ['exclusiveMaximum', 'maximum'],
] as const;

/** Draft 4 says `exclusiveMinimum: true` beside a `minimum`. */
function withNumericBounds(schema: JsonObject): JsonObject {
  let own = schema;
  for (const [exclusive, bound] of bounds) {
    if (typeof own[exclusive] !== 'boolean') continue;
    const { [exclusive]: isExclusive, [bound]: value, ...rest } = own;
    const key = isExclusive === true ? exclusive : bound;
    own = value === undefined ? rest : { ...rest, [key]: value };
  }
  return own;
}

/** What fits each of the places. */
function anyOf(schemas: readonly Json[]): Json {
  const distinct = new Map(schemas.map((schema) => [JSON.stringify(schema), schema]));
  const [first, ...others] = [...distinct.values()].filter(isObject);
  if (first === undefined) return {};
  return others.length === 0 ? first : { anyOf: [first, ...others] };
}
