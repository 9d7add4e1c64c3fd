/** Schemas that are no deeper than a provider takes; what is cut, our own check still has. */

import { isObject } from '../../spec/guards.ts';
import type { JsonObject } from '../../spec/json.ts';
import { withSubschemas } from '../../spec/schema-walk.ts';

/** References of references. */
const mostHops = 20;
/** Characters that references are replaced by: two in each other's place are four in the next, and so on. */
const mostExpanded = 100_000;
/** What alternatives and the like count: nothing for a provider, and yet they have to end. */
const alternativeCost = 0.1;

/** @param levels of objects and lists inside each other, references looked up */
export function shallow(root: JsonObject, levels: number): JsonObject {
  const { $defs: _, definitions: __, ...rest } = root;
  const sizes = new Map<JsonObject, number>();
  let room = mostExpanded;
  return cut(rest, levels);

  function cut(schema: JsonObject, left: number): JsonObject {
    const own = referred(schema);
    if (isNest(own) && left <= 1) return outline(own);
    if (left <= 0) return {};
    return withSubschemas(own, (inner) => cut(inner, left - (isNest(own) ? 1 : alternativeCost)));
  }

  function referred(schema: JsonObject): JsonObject {
    let found = schema;
    for (let hops = 0; typeof found.$ref === 'string'; hops += 1) {
      const { $ref, ...beside } = found;
      const next = $ref === '#' ? rest : definedIn(root, $ref);
      if (hops === mostHops || next === undefined) return beside;
      found = { ...expanded(next), ...beside };
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

/** What a reference to a definition stands for. */
export function definedIn(root: JsonObject, reference: string): JsonObject | undefined {
  const [, group = '', name = ''] = /^#\/(\$defs|definitions)\/([^/%~]+)$/.exec(reference) ?? [];
  const defined = root[group];
  const found = isObject(defined) && Object.hasOwn(defined, name) ? defined[name] : undefined;
  return isObject(found) ? found : undefined;
}

function isNest({ type, properties }: JsonObject): boolean {
  const types = Array.isArray(type) ? type : [type];
  return types.includes('object') || types.includes('array') || properties !== undefined;
}

/** What it is, without what is in it. */
function outline({ type, description }: JsonObject): JsonObject {
  return {
    type: type ?? 'object',
    ...(description === undefined ? {} : { description }),
    ...(type === 'array' ? { items: {} } : {}),
  };
}
