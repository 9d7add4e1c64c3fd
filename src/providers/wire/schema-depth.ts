/**
 * Limits the nesting depth of schemas for providers with such a limit. Arguments are still checked against the original
 * schema.
 */

import { isObject } from '../../spec/guards.ts';
import type { JsonObject } from '../../spec/json.ts';
import { withSubschemas } from '../../spec/schema-walk.ts';

/** Limit for chains of references. */
const maxHops = 20;
/**
 * Limit for the characters that are inserted for references: references to each other would double them at every level.
 */
const maxInsertedChars = 100_000;
/** The depth that alternatives and the like count. Providers do not count them, but recursion must end. */
const alternativeCost = 0.1;

/**
 * Returns the schema with references resolved, and everything below the limit removed.
 *
 * @param levels limit for nested objects and arrays
 */
export function shallow(root: JsonObject, levels: number): JsonObject {
  const { $defs: _, definitions: __, ...rest } = root;
  const sizes = new Map<JsonObject, number>();
  let room = maxInsertedChars;
  return cut(rest, levels);

  function cut(schema: JsonObject, left: number): JsonObject {
    const own = resolved(schema);
    if (isNested(own) && left <= 1) return outline(own);
    if (left <= 0) return {};
    return withSubschemas(own, (inner) => cut(inner, left - (isNested(own) ? 1 : alternativeCost)));
  }

  function resolved(schema: JsonObject): JsonObject {
    let found = schema;
    for (let hops = 0; typeof found.$ref === 'string'; hops += 1) {
      const { $ref, ...siblings } = found;
      const next = $ref === '#' ? rest : definedIn(root, $ref);
      if (hops === maxHops || next === undefined) return siblings;
      found = { ...expanded(next), ...siblings };
    }
    return found;
  }

  function expanded(named: JsonObject): JsonObject {
    const size = sizes.get(named) ?? JSON.stringify(named).length;
    sizes.set(named, size);
    if (size > room) return typeof named.type === 'string' ? outline({ type: named.type }) : {};
    room -= size;
    return named;
  }
}

/** Returns the definition to which a reference refers. */
export function definedIn(root: JsonObject, reference: string): JsonObject | undefined {
  const [, group = '', name = ''] = /^#\/(\$defs|definitions)\/([^/%~]+)$/.exec(reference) ?? [];
  const defined = root[group];
  const found = isObject(defined) && Object.hasOwn(defined, name) ? defined[name] : undefined;
  return isObject(found) ? found : undefined;
}

function isNested({ type, properties }: JsonObject): boolean {
  const types = Array.isArray(type) ? type : [type];
  return types.includes('object') || types.includes('array') || properties !== undefined;
}

/** Keeps the type and the description, without nested schemas. */
function outline({ type, description }: JsonObject): JsonObject {
  return {
    type: type ?? 'object',
    ...(description === undefined ? {} : { description }),
    ...(type === 'array' ? { items: {} } : {}),
  };
}
