/**
 * Converts tool definitions to what each provider accepts. A session's tools are locked, so one refused definition
 * would end the session. Arguments are still checked against the original schema.
 */

import { describeExtras, describeReturns } from '../../../runtime/registry/tool-extras.ts';
import { isObject, asObject, stringsIn } from '../../../runtime/spec/guards.ts';
import type { JsonObject, Json } from '../../../runtime/spec/json.ts';
import type { ToolDefinition } from '../../../runtime/spec/model.ts';
import { withSubschemas, mapSchemas } from '../../../runtime/spec/schema-walk.ts';
import type { RequestAdjustment } from './request-adjustment.ts';

/** The nesting depth that Google accepts in any case. */
const googleLevels = 4;

export type ConvertTool = (
  tool: ToolDefinition,
  adjusted: ReadonlySet<RequestAdjustment>,
) => ToolDefinition;

/** Arrays get `items`, and the top level becomes a plain object schema. */
export const forOpenAI: ConvertTool = (tool, adjusted) =>
  withParameters(withPlainRoot(describeWithinLimits(tool, adjusted)), withItems);

/** Unknown servers get schemas for OpenAI, except for the plain top level, which is used only if they require it. */
export const forCompatible: ConvertTool = (tool, adjusted) => {
  const own = describeWithinLimits(tool, adjusted);
  return withParameters(adjusted.has('plain-schemas') ? withPlainRoot(own) : own, withItems);
};

/** JSON Schema 2020-12, with a plain object schema at the top level. Examples have their own field. */
export const forAnthropic: ConvertTool = (tool, adjusted) => {
  const asText = adjusted.has('examples-as-text') || adjusted.has('short-descriptions');
  const own = asText ? describeWithinLimits(tool, adjusted) : describeReturns(tool);
  return withParameters(withPlainRoot(own), inDraft2020);
};

export const forGoogle: ConvertTool = (tool, adjusted) =>
  withParameters(describeWithinLimits(tool, adjusted), (parameters) => {
    const reported = withItems(parameters);
    return adjusted.has('shallow-schemas') ? limitDepth(reported, googleLevels) : reported;
  });

/** Examples and the result as text, unless the provider has refused long descriptions. */
function describeWithinLimits(
  tool: ToolDefinition,
  adjusted: ReadonlySet<RequestAdjustment>,
): ToolDefinition {
  if (!adjusted.has('short-descriptions')) return describeExtras(tool);
  const { examples: _, returns: __, ...own } = tool;
  return own;
}

/** Returns the same object if nothing changes. */
function withParameters(
  tool: ToolDefinition,
  change: (parameters: JsonObject) => JsonObject,
): ToolDefinition {
  const parameters = change(tool.parameters);
  return parameters === tool.parameters ? tool : { ...tool, parameters };
}

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
export function limitDepth(root: JsonObject, levels: number): JsonObject {
  const { $defs: _, definitions: __, ...rest } = root;
  const sizes = new Map<JsonObject, number>();
  let room = maxInsertedChars;
  return cut(rest, levels);

  function cut(schema: JsonObject, left: number): JsonObject {
    const resolved = resolveReferences(schema);
    if (isNested(resolved) && left <= 1) return outline(resolved);
    if (left <= 0) return {};
    return withSubschemas(resolved, (inner) =>
      cut(inner, left - (isNested(resolved) ? 1 : alternativeCost)),
    );
  }

  function resolveReferences(schema: JsonObject): JsonObject {
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
function definedIn(root: JsonObject, reference: string): JsonObject | undefined {
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

/**
 * Limit for the characters of tuple items that are copied into `items`. In nested tuples, the copies would double at
 * each level.
 */
const maxCopiedChars = 100_000;

/** Converts keywords of earlier drafts to those of 2020-12. */
function inDraft2020(root: JsonObject): JsonObject {
  return mapSchemas(root, (schema) => withNumericBounds(withPrefixItems(schema)));
}

/**
 * Gives every array schema an `items` schema. For tuples it is the alternative of all positions, as long as there is
 * room.
 */
function withItems(root: JsonObject): JsonObject {
  let room = maxCopiedChars;
  return mapSchemas(mapSchemas(root, withPrefixItems), (own) => {
    const { type, items, prefixItems, maxItems } = own;
    const isList = type === 'array' || (Array.isArray(type) && type.includes('array'));
    const positions = Array.isArray(prefixItems) ? prefixItems : null;
    if ((!isList && positions === null) || isObject(items)) return own;
    return {
      ...own,
      items: positions === null ? {} : anyOf(positions),
      ...(positions !== null && items === false ? { maxItems: maxItems ?? positions.length } : {}),
    };
  });

  /** Returns a schema that accepts every item of the tuple. */
  function anyOf(schemas: readonly Json[]): Json {
    if (room === 0) return {};
    const distinct = new Map(schemas.filter(isObject).map((one) => [JSON.stringify(one), one]));
    const size = [...distinct.keys()].reduce((sum, text) => sum + text.length, 0);
    // The size of the surrounding schema is larger still, and need not be counted.
    room = size > room ? 0 : room - size;
    const [first, ...others] = [...distinct.values()];
    if (first === undefined || room === 0) return {};
    return others.length === 0 ? first : { anyOf: [first, ...others] };
  }
}

/** Drafts before 2020-12 write tuples as `items: […]`. */
function withPrefixItems(schema: JsonObject): JsonObject {
  const { items, additionalItems, ...rest } = schema;
  if (!Array.isArray(items)) return schema;
  return {
    ...rest,
    // `prefixItems` must not be empty.
    ...(items.length === 0 ? {} : { prefixItems: items }),
    ...(additionalItems === undefined ? {} : { items: additionalItems }),
  };
}

const bounds = [
  ['exclusiveMinimum', 'minimum'],
  ['exclusiveMaximum', 'maximum'],
] as const;

/** Draft 4 writes `exclusiveMinimum: true` next to `minimum`. */
function withNumericBounds(schema: JsonObject): JsonObject {
  let own = schema;
  for (const [exclusive, bound] of bounds) {
    if (typeof own[exclusive] !== 'boolean') continue;
    const { [exclusive]: isExclusive, [bound]: value, ...rest } = own;
    const key = isExclusive === true ? exclusive : bound;
    own = value === undefined ? rest : { ...rest, [key]: value };
  }
  return own;
}

const combining = ['oneOf', 'anyOf', 'allOf', 'enum', 'not'] as const;
/** Limit for the characters that the removed keywords take in the description. */
const maxReported = 600;

/** Returns the tool with all possible parameters in one list, and the removed keywords in its description. */
function withPlainRoot(tool: ToolDefinition): ToolDefinition {
  const { parameters } = tool;
  const folded = combining.filter((keyword) => parameters[keyword] !== undefined);
  if (folded.length === 0) return tool;
  const reported = JSON.stringify(Object.fromEntries(folded.map((key) => [key, parameters[key]])));
  const cut =
    reported.length > maxReported ? `${reported.slice(0, maxReported).toWellFormed()} …` : reported;
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
    for (const [key, schema] of Object.entries(asObject(branch.properties))) {
      const schemas = found.get(key);
      if (schemas === undefined) found.set(key, [schema]);
      else schemas.push(schema);
    }
  const own = asObject(properties);
  const added = [...found]
    .filter(([key]) => !Object.hasOwn(own, key))
    .map(([key, schemas]) => [key, anyOfSchemas(schemas)]);
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
  return [...new Set(list.filter(isObject).map((branch) => resolveReference(branch, root)))];
}

function resolveReference(branch: JsonObject, root: JsonObject): JsonObject {
  return (typeof branch.$ref === 'string' ? definedIn(root, branch.$ref) : undefined) ?? branch;
}

function inAll([first = [], ...others]: readonly string[][]): string[] {
  const sets = others.map((names) => new Set(names));
  return first.filter((name) => sets.every((names) => names.has(name)));
}

function anyOfSchemas(schemas: readonly Json[]): Json {
  const distinct = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  return distinct.length === 1 ? (distinct[0] ?? {}) : { anyOf: distinct };
}
