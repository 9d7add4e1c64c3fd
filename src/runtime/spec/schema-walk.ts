/** Walks JSON Schemas: knows which keywords hold schemas. Not recursive, since a hostile schema may be deep. */

import { isObject } from './guards.ts';
import type { Json, JsonObject } from './json.ts';

export interface SchemaNode {
  readonly schema: JsonObject;
  /** Keys from the whole schema to this one. */
  readonly path: readonly string[];
  /** Base address of its `$ref`s. */
  readonly base: string;
}

/** The address of a schema without an `$id`. */
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

/** Drafts of JSON Schema, in order. */
export type SchemaDraft = 4 | 6 | 7 | 2019 | 2020;

const drafts: ReadonlyMap<string, SchemaDraft> = new Map([
  ['draft-04', 4],
  // Draft 5 changed no keyword.
  ['draft-05', 4],
  ['draft-06', 6],
  ['draft-07', 7],
  ['draft/2019-09', 2019],
  ['draft/2020-12', 2020],
]);

/** The draft that `$schema` names; null if `$schema` is missing or names something else. */
export function schemaDraft({ $schema }: JsonObject): SchemaDraft | null {
  if (typeof $schema !== 'string') return null;
  const [name = ''] = /draft(?:-0\d|\/\d{4}-\d\d)/.exec($schema) ?? [];
  return drafts.get(name) ?? null;
}

/** The id of a schema inside a document of this draft. */
export function schemaId(schema: JsonObject, draft: SchemaDraft | null): string | undefined {
  const id = draft === 4 ? schema.id : schema.$id;
  return typeof id === 'string' ? id : undefined;
}

/** Shape of a keyword's value that holds subschemas: one schema, a list, or an object of named ones. */
export type Shape = 'one' | 'list' | 'map';

/** Whether a keyword can hold subschemas in this way. */
export type Holds = (keyword: string, shape: Shape) => boolean;

const keywords: Readonly<Record<Shape, ReadonlySet<string>>> = {
  one: single,
  list: lists,
  map: maps,
};

/** The keywords of all drafts since 4. */
export function holdsSchemas(keyword: string, shape: Shape): boolean {
  return keywords[shape].has(keyword);
}

/** Returns whether a keyword can hold subschemas in any way. */
export function isSchemaKeyword(keyword: string): boolean {
  return single.has(keyword) || lists.has(keyword) || maps.has(keyword);
}

/** The whole schema first, then level by level. Boolean subschemas are left out. */
export function* schemaNodes(root: JsonObject, holds: Holds = holdsSchemas): Generator<SchemaNode> {
  const draft = schemaDraft(root);
  const nodes: SchemaNode[] = [
    { schema: root, path: [], base: addressOf(root, rootAddress, draft) },
  ];
  // The list grows during the loop. A caller may pause after each node.
  for (const node of nodes) {
    if (node.path.length === 0) yield node;
    for (const [keys, schema] of subschemas(node.schema, holds)) {
      const base = addressOf(schema, node.base, draft);
      const found = { schema, path: [...node.path, ...keys], base };
      nodes.push(found);
      yield found;
    }
  }
}

/**
 * A copy of a schema in which each schema is changed, the innermost first.
 * @param change gets the schema with changed subschemas, and the original
 */
export function mapSchemas(
  root: JsonObject,
  change: (schema: JsonObject, original: JsonObject) => JsonObject,
  holds: Holds = holdsSchemas,
): JsonObject {
  const levelOf = (schema: JsonObject): Level => ({
    schema,
    inner: Array.from(subschemas(schema, holds), ([, inner]) => inner),
    changed: [],
  });
  const outer: Level[] = [];
  for (let level = levelOf(root); ;) {
    const next = level.inner[level.changed.length];
    if (next !== undefined) {
      outer.push(level);
      level = levelOf(next);
      continue;
    }
    const { schema } = level;
    const changed = level.changed.values();
    const changedSchema = withSubschemas(schema, (inner) => changed.next().value ?? inner, holds);
    const done = change(changedSchema, schema);
    const parent = outer.pop();
    if (parent === undefined) return done;
    parent.changed.push(done);
    level = parent;
  }
}

interface Level {
  readonly schema: JsonObject;
  readonly inner: readonly JsonObject[];
  /** The changed schemas of `inner`. */
  readonly changed: JsonObject[];
}

/** A schema with each direct subschema changed; the same object if there are none. */
export function withSubschemas(
  schema: JsonObject,
  change: (subschema: JsonObject) => JsonObject,
  holds: Holds = holdsSchemas,
): JsonObject {
  let changes = 0;
  const changeSchema = (value: Json): Json => {
    if (!isObject(value)) return value;
    const next = change(value);
    if (next !== value) changes += 1;
    return next;
  };
  const entries = Object.entries(schema).map(([keyword, value]): [string, Json] => {
    switch (shapeOf(keyword, value, holds)) {
      case 'one':
        return [keyword, changeSchema(value)];
      case 'list':
        return [keyword, (value as Json[]).map(changeSchema)];
      case 'map': {
        const members = Object.entries(value as JsonObject);
        return [keyword, Object.fromEntries(members.map(([key, one]) => [key, changeSchema(one)]))];
      }
      case undefined:
        return [keyword, value];
    }
  });
  return changes === 0 ? schema : Object.fromEntries(entries);
}

/** The value at a path of keys, through own properties only. */
export function valueAt(root: Json, keys: Iterable<string>): Json | undefined {
  let value: Json | undefined = root;
  for (const key of keys) {
    if (Array.isArray(value)) value = /^\d+$/.test(key) ? value[Number(key)] : undefined;
    else if (isObject(value) && Object.hasOwn(value, key)) value = value[key];
    else return undefined;
  }
  return value;
}

/** The keys of a JSON pointer, such as `/properties/a~1b`. */
export function pointerKeys(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The JSON pointer with these keys. */
export function pointerOf(keys: readonly string[]): string {
  return keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** A part of an address without percent encoding; undefined if it is malformed. */
export function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The fragment of an address without percent encoding; unchanged if it is malformed. */
export function decodeFragment(fragment: string): string {
  return decodePercent(fragment) ?? fragment;
}

function* subschemas(schema: JsonObject, holds: Holds): Generator<[string[], JsonObject]> {
  for (const [keyword, value] of Object.entries(schema)) {
    const shape = shapeOf(keyword, value, holds);
    if (shape === undefined) continue;
    const items = shape === 'one' ? [['', value] as const] : Object.entries(value as JsonObject);
    for (const [key, item] of items)
      if (isObject(item)) yield [shape === 'one' ? [keyword] : [keyword, key], item];
  }
}

/** The shape of this value of the keyword. */
export function shapeOf(
  keyword: string,
  value: Json,
  holds: Holds = holdsSchemas,
): Shape | undefined {
  if (Array.isArray(value)) return holds(keyword, 'list') ? 'list' : undefined;
  if (!isObject(value)) return undefined;
  if (holds(keyword, 'one')) return 'one';
  return holds(keyword, 'map') ? 'map' : undefined;
}

function addressOf(schema: JsonObject, base: string, draft: SchemaDraft | null): string {
  const id = schemaId(schema, draft);
  // Up to draft 7, an id that is a fragment is an anchor.
  if (id === undefined || id.startsWith('#')) return base;
  return URL.parse(id, base)?.href.replace(/#$/, '') ?? base;
}

/** Whether a text is a regular expression of JavaScript, as JSON Schema requires. */
export function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
}
