/** The tools that a server lists, bounded and in one spelling, so that a change of any part of a definition is noticed. */

import type { ListedDefinition, ToolListing } from '../../../runtime/protocol/mcp.ts';
import {
  deeperThan,
  type Json,
  type JsonObject,
  type JsonText,
} from '../../../runtime/spec/json.ts';
import { isObject } from '../../../runtime/spec/guards.ts';
import { sha256Of } from '../../../runtime/spec/bytes.ts';

const maxTools = 1_000;
/** Limits of all definitions, and of one; characters. */
const maxChars = 4_000_000;
const maxDefinitionChars = 200_000;
const maxDepth = 100;
const maxProblems = 20;
/** Names as the specification allows them. */
const legalName = /^[A-Za-z0-9_./-]+$/;
const maxName = 128;

/** @param listed the definitions as parsed JSON, as far as they have one reading */
export async function boundListing(
  server: string,
  listed: readonly unknown[],
): Promise<ToolListing> {
  const tools: ListedDefinition[] = [];
  const problems: string[] = [];
  const names = new Set<string>();
  let chars = 0;
  const report = (problem: string): void => {
    if (problems.length < maxProblems) problems.push(problem);
  };
  for (const [index, tool] of listed.entries()) {
    // @mutant the number of tools of a server is bounded => never [src/agent/mcp/servers.test.ts]
    if (tools.length >= maxTools || chars > maxChars) {
      report(`${listed.length - index} tools beyond the first ${tools.length}: left out.`);
      break;
    }
    const which = `Tool ${index + 1}`;
    if (!isObject(tool) || typeof tool.name !== 'string') {
      report(`${which}: not a definition with a name.`);
      continue;
    }
    const { name, inputSchema } = tool;
    const named = `${which}, “${name.slice(0, maxName)}”`;
    if (name === '' || name.length > maxName)
      report(`${named}: its name has ${name.length} characters, not 1 to ${maxName}.`);
    else if (names.has(name)) report(`${named}: its name is listed twice.`);
    else if (deeperThan(tool, maxDepth))
      report(`${named}: its definition is nested more than ${maxDepth} levels deep.`);
    else if (!isObject(inputSchema) || inputSchema.type !== 'object')
      report(`${named}: its inputSchema is not a schema of the type "object".`);
    else {
      if (!legalName.test(name))
        report(
          `${named}: its name has characters other than A-Z a-z 0-9 _ - . / (Cloche shows _ for each).`,
        );
      const text = sortedJson(definitionOf(tool));
      if (text.length > maxDefinitionChars)
        report(`${named}: its definition has ${text.length} characters.`);
      else {
        names.add(name);
        chars += text.length;
        const hash = await sha256Of(new TextEncoder().encode(`${server}\n${text}`));
        tools.push({ name, text, hash });
      }
    }
  }
  return { tools, problems };
}

/** The parts that users and models see, or by which calls are made. */
function definitionOf(tool: JsonObject): JsonObject {
  const { name, title, description, inputSchema, outputSchema, annotations, _meta } = tool;
  const parts = { name, title, description, inputSchema, outputSchema, annotations, _meta };
  return Object.fromEntries(
    Object.entries(parts).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}

/** The order of keys is not part of a definition. */
function sortedJson(value: Json): JsonText {
  return JSON.stringify(value, (_, item: unknown) =>
    isObject(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}
