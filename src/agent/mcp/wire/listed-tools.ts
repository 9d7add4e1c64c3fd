/** The tools that a server lists, bounded and in one spelling, so that a change of any part of a definition is noticed. */

import type { ListedDefinition, ToolListing } from '../../../runtime/protocol/mcp.ts';
import { deeperThan } from '../../../runtime/spec/depth.ts';
import { isObject } from '../../../runtime/spec/guards.ts';
import type { Json, JsonObject, JsonText } from '../../../runtime/spec/json.ts';
import { sha256Of } from '../../../runtime/spec/sha256.ts';

const maxTools = 1_000;
/** Limits of all definitions, and of one; characters. */
const maxChars = 4_000_000;
const maxDefinitionChars = 200_000;
const maxDepth = 100;
const maxProblems = 20;
/** Names as the specification allows them. */
const legalName = /^[A-Za-z0-9_./-]{1,128}$/;

/** @param listed the definitions as parsed JSON */
export async function boundedListing(
  server: string,
  listed: readonly unknown[],
): Promise<ToolListing> {
  const tools: ListedDefinition[] = [];
  const problems: string[] = [];
  const names = new Set<string>();
  let chars = 0;
  const leaveOut = (problem: string): void => {
    if (problems.length < maxProblems) problems.push(problem);
  };
  for (const [index, tool] of listed.entries()) {
    // @mutant the number of tools of a server is bounded => never [src/agent/mcp/servers.test.ts]
    if (tools.length >= maxTools || chars > maxChars) {
      leaveOut(`${listed.length - index} tools beyond the first ${tools.length}: left out.`);
      break;
    }
    const which = `Tool ${index + 1}`;
    if (!isObject(tool) || typeof tool.name !== 'string' || !isObject(tool.inputSchema)) {
      leaveOut(`${which}: not a definition with a name and an inputSchema.`);
      continue;
    }
    const { name } = tool;
    const named = `${which}, “${name.slice(0, 128)}”`;
    if (!legalName.test(name))
      leaveOut(`${named}: its name is not 1 to 128 of A-Z a-z 0-9 _ - . /`);
    else if (names.has(name)) leaveOut(`${named}: its name is listed twice.`);
    else if (deeperThan(tool, maxDepth))
      leaveOut(`${named}: its definition is nested more than ${maxDepth} levels deep.`);
    else {
      const text = sortedJson(definitionOf(tool));
      if (text.length > maxDefinitionChars)
        leaveOut(`${named}: its definition has ${text.length} characters.`);
      else {
        names.add(name);
        chars += text.length;
        tools.push({ name, text, hash: await hashOf(server, text) });
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

function hashOf(server: string, text: JsonText): Promise<string> {
  return sha256Of(new TextEncoder().encode(`${server}\n${text}`));
}

/** The order of keys is not part of a definition. */
function sortedJson(value: Json): JsonText {
  return JSON.stringify(value, (_, item: unknown) =>
    isObject(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}
