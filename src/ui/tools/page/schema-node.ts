/** Safe access to an untrusted JSON Schema. */

import { asObject, isObject, stringsIn } from '../../../spec/guards.ts';
import type { Json, JsonObject } from '../../../spec/json.ts';
import { decodedFragment, pointerKeys, schemaNodes, valueAt } from '../../../spec/schema-walk.ts';

/** The value if it is an object, else null. */
export function objectOrNull(value: Json | undefined): JsonObject | null {
  return isObject(value) ? value : null;
}

/** An own member of the object; `toString` is not one. */
export function member(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** The strings in `required`. */
export function requiredNames(schema: JsonObject): ReadonlySet<string> {
  return new Set(stringsIn(member(schema, 'required')));
}

/** The schemas in `properties`. */
export function properties(schema: JsonObject): readonly (readonly [string, JsonObject])[] {
  const all = asObject(member(schema, 'properties'));
  return Object.entries(all).map(([name, value]) => [name, asObject(value)] as const);
}

/** Limit of the length of a reference. */
const longestRef = 1_000;

/** Many places refer to the same schemas, and a chain of long references takes a while to follow. */
const known = new WeakMap<JsonObject, WeakMap<JsonObject, JsonObject>>();

/**
 * Follows `$ref` inside the document, a limited number of times; a schema with an unresolvable one is returned as it
 * is.
 */
export function resolved(schema: JsonObject, root: JsonObject): JsonObject {
  if (refOf(schema) === undefined) return schema;
  const ofRoot = known.get(root) ?? new WeakMap<JsonObject, JsonObject>();
  known.set(root, ofRoot);
  const target = ofRoot.get(schema) ?? followed(schema, root);
  ofRoot.set(schema, target);
  return target;
}

function followed(schema: JsonObject, root: JsonObject): JsonObject {
  let current = schema;
  for (let hops = 0; hops < 20; hops += 1) {
    const ref = refOf(current);
    if (typeof ref !== 'string' || !ref.startsWith('#') || ref.length > longestRef) return current;
    const fragment = decodedFragment(ref.slice(1));
    const target = /^(?:\/|$)/.test(fragment)
      ? valueAt(root, pointerKeys(fragment))
      : anchorsOf(root).get(fragment);
    if (!isObject(target)) return current;
    current = target;
  }
  return current;
}

/** A dynamic reference is read as if no other schema extended this one. */
function refOf(schema: JsonObject): Json | undefined {
  return member(schema, '$ref') ?? member(schema, '$dynamicRef') ?? member(schema, '$recursiveRef');
}

/** Schemas that are searched for anchors. */
const mostSearched = 20_000;
const anchors = new WeakMap<JsonObject, ReadonlyMap<string, JsonObject>>();

/** The schemas of a document that have a name, by that name. */
function anchorsOf(root: JsonObject): ReadonlyMap<string, JsonObject> {
  const before = anchors.get(root);
  if (before !== undefined) return before;
  const found = new Map<string, JsonObject>();
  anchors.set(root, found);
  let searched = 0;
  for (const { schema } of schemaNodes(root)) {
    if ((searched += 1) > mostSearched) break;
    const id = member(schema, '$id');
    // Before draft 2019-09, an `$id` that begins with `#` is an anchor.
    const old = typeof id === 'string' && id.startsWith('#') ? id.slice(1) : undefined;
    for (const name of [member(schema, '$anchor'), member(schema, '$dynamicAnchor'), old])
      if (typeof name === 'string' && !found.has(name)) found.set(name, schema);
  }
  return found;
}

/** The schema of an array's item, or null where the schema does not say. */
export function itemAt(schema: JsonObject, index: number): JsonObject | null {
  const listed = member(schema, 'prefixItems');
  const own = Array.isArray(listed) ? objectOrNull(listed[index]) : null;
  return own ?? objectOrNull(member(schema, 'items'));
}

/** What `anyOf` or `oneOf` lists; empty if the schema has neither. */
export function alternativesOf(schema: JsonObject): readonly Json[] {
  const choices = member(schema, 'anyOf') ?? member(schema, 'oneOf');
  return Array.isArray(choices) ? choices : [];
}

/** The alternatives in `anyOf` or `oneOf` that are objects, from the first `most`. */
export function choicesIn(schema: JsonObject, most: number): readonly JsonObject[] {
  return alternativesOf(schema).slice(0, most).filter(isObject);
}
