/**
 * Removes combining keywords from the top level of parameters, where few providers accept them. Arguments are still
 * checked against the original schema.
 */

import { asObject, isObject, stringsIn } from '../../spec/guards.ts';
import type { Json, JsonObject } from '../../spec/json.ts';
import type { ToolDefinition } from '../../spec/model.ts';
import { definedIn } from './schema-depth.ts';

const combining = ['oneOf', 'anyOf', 'allOf', 'enum', 'not'] as const;
/** Limit for the characters that the removed keywords take in the description. */
const mostReported = 600;

/** Returns the tool with all possible parameters in one list, and the removed keywords in its description. */
export function withPlainRoot(tool: ToolDefinition): ToolDefinition {
  const { parameters } = tool;
  const folded = combining.filter((keyword) => parameters[keyword] !== undefined);
  if (folded.length === 0) return tool;
  const reported = JSON.stringify(Object.fromEntries(folded.map((key) => [key, parameters[key]])));
  const cut =
    reported.length > mostReported
      ? `${reported.slice(0, mostReported).toWellFormed()} …`
      : reported;
  return {
    ...tool,
    description: `${tool.description}\n\nThe arguments must also fit this JSON Schema: ${cut}`,
    parameters: foldedRoot(parameters),
  };
}

function foldedRoot(parameters: JsonObject): JsonObject {
  const { oneOf, anyOf, allOf, enum: _, not: __, properties, required, ...rest } = parameters;
  const all = branchesOf(allOf, parameters);
  const some = [oneOf, anyOf].map((list) => branchesOf(list, parameters));
  const found = new Map<string, Json[]>();
  for (const branch of new Set([...all, ...some.flat()]))
    for (const [key, schema] of Object.entries(propertiesOf(branch))) {
      const schemas = found.get(key);
      if (schemas === undefined) found.set(key, [schema]);
      else schemas.push(schema);
    }
  const own = asObject(properties);
  const added = [...found]
    .filter(([key]) => !Object.hasOwn(own, key))
    .map(([key, schemas]) => [key, either(schemas)]);
  // A property that every alternative requires is required.
  const needed = new Set([
    ...stringsIn(required),
    ...all.flatMap((branch) => stringsIn(branch.required)),
    ...some.flatMap((list) => inAll(list.map((branch) => stringsIn(branch.required)))),
  ]);
  return {
    ...rest,
    properties: { ...own, ...(Object.fromEntries(added) as JsonObject) },
    ...(needed.size === 0 && required === undefined ? {} : { required: [...needed] }),
  };
}

/** Returns the distinct object schemas of a list, with references resolved. */
function branchesOf(list: Json | undefined, root: JsonObject): JsonObject[] {
  if (!Array.isArray(list)) return [];
  return [...new Set(list.filter(isObject).map((branch) => resolved(branch, root)))];
}

function resolved(branch: JsonObject, root: JsonObject): JsonObject {
  return (typeof branch.$ref === 'string' ? definedIn(root, branch.$ref) : undefined) ?? branch;
}

function propertiesOf({ properties }: JsonObject): JsonObject {
  return asObject(properties);
}

function inAll([first = [], ...others]: readonly string[][]): string[] {
  const sets = others.map((names) => new Set(names));
  return first.filter((name) => sets.every((names) => names.has(name)));
}

function either(schemas: readonly Json[]): Json {
  const distinct = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  return distinct.length === 1 ? (distinct[0] ?? {}) : { anyOf: distinct };
}
