/** Safe access to an untrusted JSON Schema. */

import { asObject, isObject, stringsIn } from '../../../../runtime/spec/guards.ts';
import type { Json, JsonObject } from '../../../../runtime/spec/json.ts';
import { SchemaReferences } from '../../../../runtime/spec/schema-references.ts';
import { schemaNodes } from '../../../../runtime/spec/schema-walk.ts';

/** The value if it is an object, else null. */
export function objectOrNull(value: Json | undefined): JsonObject | null {
  return isObject(value) ? value : null;
}

/** An own member of the object; `toString` is not one. */
export function memberOf(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** The strings in `required`. */
export function requiredNamesOf(schema: JsonObject): ReadonlySet<string> {
  return new Set(stringsIn(memberOf(schema, 'required')));
}

/** The schemas in `properties`. */
export function listProperties(schema: JsonObject): readonly (readonly [string, JsonObject])[] {
  const all = asObject(memberOf(schema, 'properties'));
  return Object.entries(all).map(([name, value]) => [name, asObject(value)] as const);
}

/** Limit of the length of a reference. */
const longestRef = 1_000;

/** Many places refer to the same schemas, and a chain of long references takes a while to follow. */
const known = new WeakMap<JsonObject, WeakMap<JsonObject, JsonObject>>();

/**
 * Follows references inside the document, a limited number of times; a schema with an unresolvable one is returned as it
 * is.
 */
export function resolveReference(schema: JsonObject, root: JsonObject): JsonObject {
  if (refOf(schema) === undefined) return schema;
  const ofRoot = known.get(root) ?? new WeakMap<JsonObject, JsonObject>();
  known.set(root, ofRoot);
  const target = ofRoot.get(schema) ?? followReferences(schema, root);
  ofRoot.set(schema, target);
  return target;
}

function followReferences(schema: JsonObject, root: JsonObject): JsonObject {
  const { references, bases, rootBase } = referencesIn(root);
  let current = schema;
  for (let hops = 0; hops < 20; hops += 1) {
    if ((refOf(current)?.length ?? 0) > longestRef) return current;
    const base = bases.get(current) ?? rootBase;
    const [found] = references.of({ schema: current, base });
    if (found === undefined || !isObject(found.target)) return current;
    current = found.target;
  }
  return current;
}

function refOf(schema: JsonObject): string | undefined {
  const keywords = ['$ref', '$dynamicRef', '$recursiveRef'];
  return keywords.map((key) => memberOf(schema, key)).find((value) => typeof value === 'string');
}

/** Maximum number of schemas that are searched for ids and anchors. */
const maxSearched = 20_000;

interface ReferencesIn {
  readonly references: SchemaReferences;
  /** The base addresses of the document's schemas. */
  readonly bases: ReadonlyMap<JsonObject, string>;
  readonly rootBase: string;
}

const searched = new WeakMap<JsonObject, ReferencesIn>();

function referencesIn(root: JsonObject): ReferencesIn {
  const before = searched.get(root);
  if (before !== undefined) return before;
  const references = new SchemaReferences(root);
  const bases = new Map<JsonObject, string>();
  for (const node of schemaNodes(root)) {
    if (bases.size > maxSearched) break;
    references.add(node);
    bases.set(node.schema, node.base);
  }
  const found = { references, bases, rootBase: bases.get(root) ?? '' };
  searched.set(root, found);
  return found;
}

/** The schema of an array's item, or null where the schema does not say. */
export function itemAt(schema: JsonObject, index: number): JsonObject | null {
  const listed = memberOf(schema, 'prefixItems');
  const atIndex = Array.isArray(listed) ? objectOrNull(listed[index]) : null;
  return atIndex ?? objectOrNull(memberOf(schema, 'items'));
}

/** The members of `anyOf` or `oneOf`; empty if the schema has neither. */
export function alternativesOf(schema: JsonObject): readonly Json[] {
  const choices = memberOf(schema, 'anyOf') ?? memberOf(schema, 'oneOf');
  return Array.isArray(choices) ? choices : [];
}

/** The alternatives in `anyOf` or `oneOf` that are objects, from the first `max`. */
export function choicesIn(schema: JsonObject, max: number): readonly JsonObject[] {
  return alternativesOf(schema).slice(0, max).filter(isObject);
}
