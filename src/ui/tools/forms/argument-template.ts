/** Initial arguments of a tool: its first example, or what its schema requires. */

import type { Json, JsonObject } from '../../../spec/json.ts';
import type { Tool } from '../../../spec/tool.ts';
import {
  choicesIn,
  itemAt,
  member,
  properties,
  requiredNames,
  resolved,
} from '../page/schema-node.ts';

/** JSON text that the user edits before the first run of a tool. */
export function argumentTemplate(tool: Pick<Tool, 'parameters' | 'examples'>): string {
  const value = tool.examples[0] ?? objectFor(tool.parameters, tool.parameters, 0);
  return JSON.stringify(value, null, 2);
}

const deepest = 6;
/** Limit of depth, since nested lists multiply at each level. */
const deepestItems = 3;
const mostItems = 16;

function objectFor(schema: JsonObject, root: JsonObject, depth: number): JsonObject {
  const required = requiredNames(schema);
  const wanted = properties(schema).filter(
    ([name, property]) => required.has(name) || Object.hasOwn(property, 'default'),
  );
  // fromEntries defines its keys: `__proto__` becomes an ordinary one.
  return Object.fromEntries(
    wanted.map(([name, property]) => [name, valueFor(property, root, depth + 1)]),
  );
}

/** Initial value of a property: its default, a sample, or the empty value of its type. */
export function valueFor(property: JsonObject, root: JsonObject, depth: number): Json {
  const schema = resolved(property, root);
  const given = member(property, 'default') ?? member(schema, 'default') ?? member(schema, 'const');
  if (given !== undefined) return given;
  const samples = member(schema, 'enum') ?? member(schema, 'examples');
  if (Array.isArray(samples) && samples[0] !== undefined) return samples[0];
  const [first] = choicesIn(schema, 1);
  if (first !== undefined && depth < deepest) return valueFor(first, root, depth + 1);
  return emptyFor(schema, root, depth);
}

function emptyFor(schema: JsonObject, root: JsonObject, depth: number): Json {
  const declared = member(schema, 'type');
  const type = Array.isArray(declared) ? declared[0] : declared;
  const minimum = member(schema, 'minimum');
  switch (type) {
    case 'integer':
    case 'number':
      return typeof minimum === 'number' && minimum > 0 ? minimum : 0;
    case 'boolean':
      return false;
    case 'array':
      return depth < deepestItems ? itemsFor(schema, root, depth) : [];
    case 'null':
      return null;
    case 'object':
      return depth < deepest ? objectFor(schema, root, depth) : {};
    default:
      return Object.hasOwn(schema, 'properties') && depth < deepest
        ? objectFor(schema, root, depth)
        : '';
  }
}

/** As many items as are required, as far as the schema describes them. */
function itemsFor(schema: JsonObject, root: JsonObject, depth: number): Json[] {
  const least = member(schema, 'minItems');
  const items: Json[] = [];
  while (typeof least === 'number' && items.length < Math.min(least, mostItems)) {
    const item = itemAt(schema, items.length);
    if (item === null) break;
    items.push(valueFor(item, root, depth + 1));
  }
  return items;
}
