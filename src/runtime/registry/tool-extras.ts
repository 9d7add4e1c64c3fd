/** Chooses what the definition of a tool contains besides its parameters, within a budget: examples of arguments, and the schema of the result. */

import { isObject } from '../spec/guards.ts';
import type { JsonObject } from '../spec/json.ts';
import { charsPerToken, type ToolDefinition } from '../spec/model.ts';
import { mapSchemas } from '../spec/schema-walk.ts';
import type { SelectedTool } from '../spec/session.ts';
import type { RegisteredTool, Tool } from '../spec/tool.ts';

/** Limits in estimated tokens: for one tool, however few or many there are, and for all tools of a request. */
const maxToolTokens = 500;
const minToolTokens = 100;
const maxRequestTokens = 10_000;
const maxExamples = 5;

export type ToolExtras = Pick<ToolDefinition, 'examples' | 'returns'>;

/** Results of {@link extrasWithinBudget}, kept because selections are read often. */
const known = new WeakMap<object, { readonly chars: number; readonly extras: ToolExtras }>();

/** @param count number of tools of the request, which share the budget */
export function extrasWithinBudget(
  tool: Pick<Tool, 'examples' | 'returns'>,
  count: number,
): ToolExtras {
  const share = Math.floor(maxRequestTokens / Math.max(1, count));
  const chars = Math.min(maxToolTokens, Math.max(minToolTokens, share)) * charsPerToken;
  const cached = known.get(tool);
  if (cached?.chars === chars) return cached.extras;
  const extras = limitExtras(tool, chars);
  known.set(tool, { chars, extras });
  return extras;
}

/** The tool as a session of `count` tools stores it. */
export function toSelectedTool(tool: Tool, count: number): SelectedTool {
  const { name, description, parameters, deferred } = tool;
  return { name, description, parameters, deferred, ...extrasWithinBudget(tool, count) };
}

/** Examples get at most half of the budget, and the result what is left. */
function limitExtras(tool: Pick<Tool, 'examples' | 'returns'>, chars: number): ToolExtras {
  const examples: JsonObject[] = [];
  let left = chars;
  for (const example of tool.examples.slice(0, maxExamples)) {
    const size = JSON.stringify(example).length;
    if (size > left - chars / 2) continue;
    examples.push(example);
    left -= size;
  }
  const returns = tool.returns === null ? null : shortenSchema(tool.returns, left);
  return {
    ...(examples.length === 0 ? {} : { examples }),
    ...(returns === null ? {} : { returns }),
  };
}

/** The most detailed form of a schema that has at most `chars` characters of JSON; null if none has, or says nothing. */
function shortenSchema(schema: JsonObject, chars: number): JsonObject | null {
  if (Object.keys(schema).length === 0) return null;
  for (const form of [(one: JsonObject) => one, withoutNotes, outline]) {
    const shorter = form(schema);
    if (JSON.stringify(shorter).length <= chars) return shorter;
  }
  return null;
}

const notes = ['$schema', '$comment', '$id', 'title', 'description', 'default', 'examples'];

function withoutNotes(root: JsonObject): JsonObject {
  return mapSchemas(root, (schema) =>
    Object.fromEntries(Object.entries(schema).filter(([key]) => !notes.includes(key))),
  );
}

/** The types of the members of an object or of the items of a list, without what is inside them. */
function outline({ type, properties, items }: JsonObject): JsonObject {
  const typeOf = (schema: unknown): JsonObject =>
    isObject(schema) && schema.type !== undefined ? { type: schema.type } : {};
  const members = Object.entries(isObject(properties) ? properties : {});
  return {
    ...(type === undefined ? {} : { type }),
    ...(members.length === 0
      ? {}
      : { properties: Object.fromEntries(members.map(([key, one]) => [key, typeOf(one)])) }),
    ...(isObject(items)
      ? { items: items.properties === undefined ? typeOf(items) : outline(items) }
      : {}),
  };
}

/** Puts the schema of the result into the description, as no provider has a place for it. */
export function describeReturns(tool: ToolDefinition): ToolDefinition {
  const { returns, ...rest } = tool;
  if (returns === undefined) return tool;
  return addToDescription(rest, `The result fits this JSON Schema: ${JSON.stringify(returns)}`);
}

/** Puts the examples into the description too, for providers without a place for them. */
export function describeExtras(tool: ToolDefinition): ToolDefinition {
  const { examples, ...rest } = describeReturns(tool);
  if (examples === undefined) return rest;
  const lines = examples.map((one) => JSON.stringify(one));
  return addToDescription(rest, `Examples of arguments:\n${lines.join('\n')}`);
}

function addToDescription(tool: ToolDefinition, sentence: string): ToolDefinition {
  return { ...tool, description: `${tool.description}\n\n${sentence}` };
}

/** The estimated tokens of the extras. */
export function countExtraTokens({ examples, returns }: ToolExtras): number {
  const sizes = [examples, returns].map((one) =>
    one === undefined ? 0 : JSON.stringify(one).length,
  );
  return Math.ceil(sizes.reduce((sum, size) => sum + size, 0) / charsPerToken);
}

/** Whether a model may call the tool. A server can offer tools to its apps alone. */
export function isForModels({ offeredTo }: Pick<RegisteredTool, 'offeredTo'>): boolean {
  // @mutant a model is offered no tool that its server has for apps alone => offeredTo.includes('model') -> true
  //   [src/agent/turn/selection.test.ts]
  return offeredTo === undefined || offeredTo.includes('model');
}
