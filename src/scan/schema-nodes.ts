/** The subschemas of a JSON Schema, without recursion, since a hostile one may be deep. */

import type { Json, JsonObject } from '../spec/json.ts';

export interface SchemaNode {
  readonly schema: JsonObject;
  /** Keys from the whole schema to this one. */
  readonly path: readonly string[];
  /** Absolute address that `$ref`s in it start from. */
  readonly base: string;
}

/** The address of a schema that names none of its own. */
const rootAddress = 'https://cloche.invalid/schema';

const single = new Set([
  'additionalItems',
  'additionalProperties',
  'contains',
  'contentSchema',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
]);
const lists = new Set(['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems']);
const maps = new Set([
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
  'properties',
]);

/** The whole schema first, then level by level. Boolean subschemas hold nothing and are left out. */
export function* schemaNodes(root: JsonObject): Generator<SchemaNode> {
  const nodes: SchemaNode[] = [{ schema: root, path: [], base: addressOf(root, rootAddress) }];
  // Grows while it is gone through. Whoever asks for nodes may pause after each one.
  for (const node of nodes) {
    if (node.path.length === 0) yield node;
    for (const [keyword, value] of Object.entries(node.schema)) {
      for (const [keys, schema] of subschemas(keyword, value)) {
        const base = addressOf(schema, node.base);
        const found = { schema, path: [...node.path, keyword, ...keys], base };
        nodes.push(found);
        yield found;
      }
    }
  }
}

/**
 * A schema without its subschemas, so that it can be checked by itself, at a cost that does not grow
 * with their number. What stands in the place of a subschema and cannot be one is kept.
 */
export function withoutSubschemas(schema: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [keyword, emptied(keyword, value)]),
  );
}

/** A schema with each of its own subschemas changed; the same object where none is. */
export function withSubschemas(
  schema: JsonObject,
  change: (subschema: JsonObject) => JsonObject,
): JsonObject {
  let changes = 0;
  const changed = (value: Json): Json => {
    if (!isObject(value)) return value;
    const next = change(value);
    if (next !== value) changes += 1;
    return next;
  };
  const entries = Object.entries(schema).map(([keyword, value]): [string, Json] => {
    if (Array.isArray(value)) return [keyword, lists.has(keyword) ? value.map(changed) : value];
    if (single.has(keyword)) return [keyword, changed(value)];
    if (!isObject(value) || !maps.has(keyword)) return [keyword, value];
    const members = Object.entries(value).map(([key, one]): [string, Json] => [key, changed(one)]);
    return [keyword, Object.fromEntries(members)];
  });
  return changes === 0 ? schema : Object.fromEntries(entries);
}

/** Whether a JSON value is an object, not a list. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function* subschemas(keyword: string, value: Json): Generator<[string[], JsonObject]> {
  if (Array.isArray(value)) {
    if (!lists.has(keyword)) return;
    for (const [index, item] of value.entries()) if (isObject(item)) yield [[`${index}`], item];
  } else if (isObject(value)) {
    if (single.has(keyword)) yield [[], value];
    if (!maps.has(keyword)) return;
    for (const [key, item] of Object.entries(value)) if (isObject(item)) yield [[key], item];
  }
}

function emptied(keyword: string, value: Json): Json {
  if (Array.isArray(value)) return lists.has(keyword) ? emptiedList(value) : value;
  if (!isObject(value)) return value;
  if (single.has(keyword)) return true;
  if (!maps.has(keyword)) return value;
  // Own properties, whatever their names: `__proto__` too.
  return Object.fromEntries(Object.entries(value).filter(([, item]) => !isSchema(item)));
}

/** As long as need be to show its first wrong item at its place. */
function emptiedList(items: readonly Json[]): Json {
  const wrong = items.findIndex((item) => !isSchema(item));
  if (wrong < 0) return items.slice(0, 1).map(() => true);
  return items.slice(0, wrong + 1).map((item) => isSchema(item) || item);
}

function isSchema(value: Json): boolean {
  return isObject(value) || typeof value === 'boolean';
}

function addressOf(schema: JsonObject, base: string): string {
  const id = schema.$id;
  // In draft 7 an id that is a fragment is an anchor.
  if (typeof id !== 'string' || id.startsWith('#')) return base;
  return URL.parse(id, base)?.href.replace(/#$/, '') ?? base;
}
