/** Defines tools in the format of each model provider. */

import { ToolError } from '../spec/error.ts';
import { isObject } from '../spec/guards.ts';
import type { Json, JsonObject } from '../spec/json.ts';
import { decodePercent, holdsSchemas, mapSchemas } from '../spec/schema-walk.ts';
import type { ToolDefinition } from '../spec/model.ts';
import type { Tool } from '../spec/tool.ts';
import { propertyNames, type NameTable } from './provider-names.ts';
import { describeExtras, extrasWithinBudget, describeReturns } from './tool-extras.ts';

export type Provider = 'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini' | 'mcp';

/** The source of a definition. */
export type DefinedTool = Pick<
  Tool,
  'name' | 'label' | 'description' | 'parameters' | 'examples' | 'returns' | 'annotations'
>;

/** Returns the `tools` member of a request. Leaves out tools without a name in the table. */
export async function createDefinitions(
  provider: Provider,
  tools: readonly DefinedTool[],
  names: NameTable,
): Promise<JsonObject[]> {
  const defined: JsonObject[] = [];
  for await (const one of yieldDefinitions(provider, tools, names)) defined.push(one);
  // Gemini expects one tool that contains all functions.
  return provider === 'gemini' ? [{ functionDeclarations: defined }] : defined;
}

/** Yields the definitions of the tools that have a name in the table. */
export async function* yieldDefinitions(
  provider: Provider,
  tools: readonly DefinedTool[],
  names: NameTable,
): AsyncGenerator<JsonObject> {
  for (const tool of tools) {
    const name = names.toWire(tool.name);
    if (name === undefined) continue;
    if (provider === 'mcp') yield mcpDefinition(tool, name);
    else {
      const { name: id, description, parameters } = tool;
      const definition = {
        ...extrasWithinBudget(tool, tools.length),
        name: id,
        description,
        parameters,
      };
      yield await definitionFor(provider, definition, name);
    }
  }
}

/** @throws {ToolError} if the provider would not accept the tool */
export async function definitionFor(
  provider: Exclude<Provider, 'mcp'>,
  tool: ToolDefinition,
  name = tool.name,
): Promise<JsonObject> {
  if (provider === 'anthropic') {
    const { description } = describeReturns(tool);
    const { parameters, examples } = await withWireProperties(tool);
    return {
      name,
      description,
      input_schema: parameters,
      ...(examples === undefined ? {} : { input_examples: [...examples] }),
    };
  }
  const { description, parameters } = describeExtras(tool);
  switch (provider) {
    case 'openai-chat':
      return { type: 'function', function: { name, description, parameters } };
    case 'openai-responses':
      // The default is strict mode, which most schemas do not satisfy.
      return { type: 'function', name, description, parameters, strict: false };
    case 'gemini':
      return { name, description, parametersJsonSchema: parameters };
  }
}

/** MCP has no place for examples. */
function mcpDefinition(tool: DefinedTool, name: string): JsonObject {
  return {
    name,
    title: tool.label,
    description: tool.description,
    inputSchema: tool.parameters,
    // MCP requires an object here, and rejects the whole list otherwise.
    ...(tool.returns?.type === 'object' ? { outputSchema: tool.returns } : {}),
    annotations: tool.annotations,
  };
}

/** Returns parameters and examples with names that Anthropic rejects replaced. `propertyNames` maps them back. */
export async function withWireProperties({
  name,
  parameters,
  examples,
}: Pick<ToolDefinition, 'name' | 'parameters' | 'examples'>): Promise<
  Pick<ToolDefinition, 'parameters' | 'examples'>
> {
  const names = await propertyNames(parameters);
  if (names.refused.length > 0) {
    throw new ToolError(
      'bad-input',
      `${name}: the parameters ${names.refused.join(', ')} are the same to the provider.`,
      'Rename one of them, or use another provider.',
    );
  }
  const shown = examples === undefined ? {} : { examples };
  if (names.entries.every(([key, wire]) => key === wire)) return { parameters, ...shown };
  const wire = (key: string): string => names.toWire(key) ?? key;
  const renamed = examples?.map((example) => keyed(example, wire, (value) => value));
  return {
    parameters: withWireReferences(withWireKeys(parameters, wire), wire),
    ...(renamed === undefined ? {} : { examples: renamed.filter(isObject) }),
  };
}

type Rename = (key: string) => string;

/** Keywords whose subschemas apply to the same object. */
const sameObject = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
  'dependencies',
]);

/** Renames members of an object, in its schema and in those that apply to the same object. */
function withWireKeys(root: JsonObject, wire: Rename): JsonObject {
  const renamed = (schema: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(schema).map(([keyword, value]): [string, Json] => {
        switch (keyword) {
          case 'required':
            return [keyword, names(value, wire)];
          case 'properties':
          case 'dependentSchemas':
            return [keyword, keyed(value, wire, (member) => member)];
          case 'dependentRequired':
          case 'dependencies':
            return [keyword, keyed(value, wire, (member) => names(member, wire))];
          default:
            return [keyword, value];
        }
      }),
    );
  return mapSchemas(
    root,
    renamed,
    (keyword, shape) => sameObject.has(keyword) && holdsSchemas(keyword, shape),
  );
}

function names(value: Json, wire: Rename): Json {
  return Array.isArray(value)
    ? value.map((key) => (typeof key === 'string' ? wire(key) : key))
    : value;
}

function keyed(value: Json, wire: Rename, change: (member: Json) => Json): Json {
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, member]): [string, Json] => [
    wire(key),
    change(member),
  ]);
  return Object.fromEntries(entries);
}

/** Renames parameters in references. */
function withWireReferences(schema: JsonObject, wire: Rename): JsonObject {
  const follow = (key: string, value: Json): Json => {
    const found =
      key === '$ref' && typeof value === 'string' && /^#\/properties\/([^/]*)/.exec(value);
    if (!found) return value;
    const [before, name = ''] = found;
    const named = decodePercent(name);
    // An invalid percent encoding refers to nothing.
    if (named === undefined) return value;
    const parameter = named.replaceAll('~1', '/').replaceAll('~0', '~');
    return `#/properties/${escaped(wire(parameter))}${found.input.slice(before.length)}`;
  };
  return JSON.parse(JSON.stringify(schema), follow) as JsonObject;
}

function escaped(key: string): string {
  return encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));
}
