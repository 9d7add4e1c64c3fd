/** Writes a tool's JSON Schema as a component of an OpenAPI 3.1 document. */

import { exactMember } from '../../../runtime/spec/exact-json.ts';
import { isObject } from '../../../runtime/spec/guards.ts';
import type { Json, JsonObject, JsonText } from '../../../runtime/spec/json.ts';
import {
  decodedFragment,
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
  const follow = (reference: string): string => {
    if (!reference.startsWith('#')) return reference;
    const fragment = decodedFragment(reference.slice(1));
    const pointer = anchors.get(fragment) ?? fragment;
    return address + encodeURI(translated(root, pointer)).replaceAll('#', '%23');
  };
  return written(root, follow);
}

type Follow = (reference: string) => string;

/** The recursion is bounded: the nesting of a tool's schemas is limited when they are checked. */
function written(schema: Json, follow: Follow): JsonText {
  if (!isObject(schema)) return JSON.stringify(schema);
  const isTuple = Array.isArray(schema.items);
  const members = Object.entries(schema).flatMap(([keyword, value]) => {
    // An id would be the base of the references inside it.
    if (keyword === '$id' || keyword === '$anchor' || keyword === '$schema') return [];
    return `${JSON.stringify(isTuple ? tupleKeyword(keyword) : keyword)}:${member(schema, keyword, value, follow)}`;
  });
  return `{${members.join(',')}}`;
}

function member(schema: JsonObject, keyword: string, value: Json, follow: Follow): JsonText {
  if (keyword === '$ref' && typeof value === 'string') return JSON.stringify(follow(value));
  switch (shapeOf(keyword, value)) {
    case 'one':
      return written(value, follow);
    case 'list':
      return `[${(value as Json[]).map((item) => written(item, follow)).join(',')}]`;
    case 'map': {
      const members = Object.entries(value as JsonObject).map(
        ([name, inner]) =>
          // A list in `dependencies` names properties.
          `${JSON.stringify(name)}:${Array.isArray(inner) ? JSON.stringify(inner) : written(inner, follow)}`,
      );
      return `{${members.join(',')}}`;
    }
    case undefined:
      return exactMember(schema, keyword) ?? 'null';
  }
}

/** Until draft 2019-09, `items` could hold the schemas of the first items. */
function tupleKeyword(keyword: string): string {
  if (keyword === 'items') return 'prefixItems';
  return keyword === 'additionalItems' ? 'items' : keyword;
}

/** A pointer into the schema as it is written here. */
function translated(root: JsonObject, pointer: string): string {
  let at: Json | undefined = root;
  const steps = pointerKeys(pointer).map((key) => {
    const holder: Json | undefined = at;
    at = isObject(holder) || Array.isArray(holder) ? (holder as JsonObject)[key] : undefined;
    return isObject(holder) && Array.isArray(holder.items) ? tupleKeyword(key) : key;
  });
  return pointerOf(steps);
}
