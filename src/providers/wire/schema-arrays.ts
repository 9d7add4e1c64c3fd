/** Lists and bounds in a schema as providers take them: JSON Schema, and its drafts together, allow more. */

import { isObject } from '../../spec/guards.ts';
import type { Json, JsonObject } from '../../spec/json.ts';
import { mapSchemas } from '../../spec/schema-walk.ts';

/** Characters of places that are told a second time: lists of places inside of each other would double each time. */
const mostTwice = 100_000;

/** What only earlier drafts have, as 2020-12 has it. */
export function inDraft2020(root: JsonObject): JsonObject {
  return mapSchemas(root, (schema) => withNumericBounds(withPrefixItems(schema)));
}

/** Each list says what is in it; a list of given places does so for all of them together, while there is room. */
export function withItems(root: JsonObject): JsonObject {
  let room = mostTwice;
  return mapSchemas(mapSchemas(root, withPrefixItems), (own) => {
    const { type, items, prefixItems, maxItems } = own;
    const isList = type === 'array' || (Array.isArray(type) && type.includes('array'));
    const places = Array.isArray(prefixItems) ? prefixItems : null;
    if ((!isList && places === null) || isObject(items)) return own;
    return {
      ...own,
      items: places === null ? {} : anyOf(places),
      ...(places !== null && items === false ? { maxItems: maxItems ?? places.length } : {}),
    };
  });

  /** What fits each of the places. */
  function anyOf(schemas: readonly Json[]): Json {
    if (room === 0) return {};
    const distinct = new Map(schemas.filter(isObject).map((one) => [JSON.stringify(one), one]));
    const size = [...distinct.keys()].reduce((sum, text) => sum + text.length, 0);
    // What is around it is larger still, and need not be measured.
    room = size > room ? 0 : room - size;
    const [first, ...others] = [...distinct.values()];
    if (first === undefined || room === 0) return {};
    return others.length === 0 ? first : { anyOf: [first, ...others] };
  }
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
