/** Writes a tool's JSON Schema as a component of an OpenAPI 3.1 document. */

import { exactMember } from '../../../runtime/spec/exact-json.ts';
import { isObject } from '../../../runtime/spec/guards.ts';
import type { Json, JsonObject, JsonText } from '../../../runtime/spec/json.ts';
import {
  decodeFragment,
  pointerKeys,
  schemaNodes,
  shapeOf,
  pointerOf,
} from '../../../runtime/spec/schema-walk.ts';

/**
 * The schema as JSON text. Its references lead into the component, its numbers are spelled as in the tool file, and
 * lists of item schemas are written as OpenAPI 3.1 requires them.
 *
 * @param component the component's name
 */
export function schemaText(root: JsonObject, component: string): JsonText {
  const address = `#/components/schemas/${component}`;
  const anchors = new Map<string, string>();
  for (const { schema, path } of schemaNodes(root)) {
    const { $anchor: anchor } = schema;
    if (typeof anchor === 'string') anchors.set(anchor, pointerOf(path));
  }
  const toReference: ToReference = (reference) => {
    if (!reference.startsWith('#')) return reference;
    const fragment = decodeFragment(reference.slice(1));
    const pointer = anchors.get(fragment) ?? fragment;
    return address + encodeURI(translatePointer(root, pointer)).replaceAll('#', '%23');
  };
  return writeSchema(root, toReference);
}

/** Turns a reference of the tool's schema into one of the document. */
type ToReference = (reference: string) => string;

/** The recursion is bounded: the nesting of a tool's schemas is limited when they are checked. */
function writeSchema(schema: Json, toReference: ToReference): JsonText {
  if (!isObject(schema)) return JSON.stringify(schema);
  const members = Object.entries(schema).flatMap(([keyword, value]) => {
    // An id would be the base of the references inside it.
    if (keyword === '$id' || keyword === '$anchor' || keyword === '$schema') return [];
    const name = hasTuple(schema) ? tupleKeyword(keyword) : keyword;
    return `${JSON.stringify(name)}:${writeValue(schema, keyword, value, toReference)}`;
  });
  return `{${members.join(',')}}`;
}

/** Writes the value of a keyword, which may be a schema, or contain some. */
function writeValue(
  schema: JsonObject,
  keyword: string,
  value: Json,
  toReference: ToReference,
): JsonText {
  if (keyword === '$ref' && typeof value === 'string') return JSON.stringify(toReference(value));
  switch (shapeOf(keyword, value)) {
    case 'one':
      return writeSchema(value, toReference);
    case 'list':
      return `[${(value as Json[]).map((item) => writeSchema(item, toReference)).join(',')}]`;
    case 'map': {
      const members = Object.entries(value as JsonObject).map(([name, inner]) => {
        // A list in `dependencies` names properties.
        const text = Array.isArray(inner) ? JSON.stringify(inner) : writeSchema(inner, toReference);
        return `${JSON.stringify(name)}:${text}`;
      });
      return `{${members.join(',')}}`;
    }
    // The keyword holds no schema. Its numbers keep their spelling.
    case undefined:
      return exactMember(schema, keyword) ?? 'null';
  }
}

/** Whether `items` holds the schemas of the first items, as was possible until draft 2019-09. */
function hasTuple(schema: JsonObject): boolean {
  return Array.isArray(schema.items);
}

/** The later name of a keyword of a schema with a tuple. */
function tupleKeyword(keyword: string): string {
  if (keyword === 'items') return 'prefixItems';
  return keyword === 'additionalItems' ? 'items' : keyword;
}

/** Translates a pointer into the tool's schema: it leads to the same place in the written schema. */
function translatePointer(root: JsonObject, pointer: string): string {
  let place: Json | undefined = root;
  const keys: string[] = [];
  for (const key of pointerKeys(pointer)) {
    keys.push(isObject(place) && hasTuple(place) ? tupleKeyword(key) : key);
    place = isObject(place) || Array.isArray(place) ? (place as JsonObject)[key] : undefined;
  }
  return pointerOf(keys);
}
