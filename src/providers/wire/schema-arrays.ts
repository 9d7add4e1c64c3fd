/** Converts arrays and bounds in JSON Schemas to the forms that providers accept. */

import { isObject } from '../../spec/guards.ts';
import type { Json, JsonObject } from '../../spec/json.ts';
import { mapSchemas } from '../../spec/schema-walk.ts';

/**
 * Limit for the characters of tuple items that are copied into `items`. In nested tuples, the copies would double at
 * each level.
 */
const maxCopiedChars = 100_000;

/** Converts keywords of earlier drafts to those of 2020-12. */
export function inDraft2020(root: JsonObject): JsonObject {
  return mapSchemas(root, (schema) => withNumericBounds(withPrefixItems(schema)));
}

/**
 * Gives every array schema an `items` schema. For tuples it is the alternative of all positions, as long as there is
 * room.
 */
export function withItems(root: JsonObject): JsonObject {
  let room = maxCopiedChars;
  return mapSchemas(mapSchemas(root, withPrefixItems), (own) => {
    const { type, items, prefixItems, maxItems } = own;
    const isList = type === 'array' || (Array.isArray(type) && type.includes('array'));
    const positions = Array.isArray(prefixItems) ? prefixItems : null;
    if ((!isList && positions === null) || isObject(items)) return own;
    return {
      ...own,
      items: positions === null ? {} : anyOf(positions),
      ...(positions !== null && items === false ? { maxItems: maxItems ?? positions.length } : {}),
    };
  });

  /** Returns a schema that accepts every item of the tuple. */
  function anyOf(schemas: readonly Json[]): Json {
    if (room === 0) return {};
    const distinct = new Map(schemas.filter(isObject).map((one) => [JSON.stringify(one), one]));
    const size = [...distinct.keys()].reduce((sum, text) => sum + text.length, 0);
    // The size of the surrounding schema is larger still, and need not be counted.
    room = size > room ? 0 : room - size;
    const [first, ...others] = [...distinct.values()];
    if (first === undefined || room === 0) return {};
    return others.length === 0 ? first : { anyOf: [first, ...others] };
  }
}

/** Drafts before 2020-12 write tuples as `items: […]`. */
function withPrefixItems(schema: JsonObject): JsonObject {
  const { items, additionalItems, ...rest } = schema;
  if (!Array.isArray(items)) return schema;
  return {
    ...rest,
    // `prefixItems` must not be empty.
    ...(items.length === 0 ? {} : { prefixItems: items }),
    ...(additionalItems === undefined ? {} : { items: additionalItems }),
  };
}

const bounds = [
  ['exclusiveMinimum', 'minimum'],
  ['exclusiveMaximum', 'maximum'],
] as const;

/** Draft 4 writes `exclusiveMinimum: true` next to `minimum`. */
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
