/** Answers what an app may ask for: calls to the tools of its own folder or server, and actions of its own page. */

import { callResultPieces } from '../../../api/mcp/results.ts';
import { mcpNames } from '../../../../runtime/registry/mcp-names.ts';
import type { Registry } from '../../../../runtime/registry/registry.ts';
import type { CallPath } from '../../../../runtime/call/call-path.ts';
import { newCall } from '../../../../runtime/spec/call.ts';
import { asObject, parseJson } from '../../../../runtime/spec/guards.ts';
import type { JsonObject, JsonText } from '../../../../runtime/spec/json.ts';
import type { ToolResult } from '../../../../runtime/spec/result.ts';
import type { RegisteredTool } from '../../../../runtime/spec/tool.ts';
import { errorCodes, Refusal } from './app-messages.ts';

/** Longer arguments and results are not sent to an app; characters. */
const maxChars = 1_000_000;

interface AppCallDeps {
  readonly registry: Pick<Registry, 'lookup' | 'list'>;
  readonly calls: Pick<CallPath, 'call'>;
}

/**
 * Calls a tool for an app, on the path of all calls. The app names it as in its folder's MCP server, or by its id.
 * @throws {Refusal} if there is no such tool beside the app's own
 */
export async function callForApp(
  signal: AbortSignal,
  own: RegisteredTool,
  { name, args }: { name: string; args: JsonObject },
  { registry, calls }: AppCallDeps,
): Promise<JsonObject> {
  const origin = registry.lookup(own.name)?.origin;
  const beside = registry
    .list()
    .filter(
      (tool) => registry.lookup(tool.name)?.origin === origin && tool.server?.id === own.server?.id,
    );
  const id = await idOf(name, own, beside);
  const known = beside.find(
    // @mutant an app calls no tool that its server has for models alone => offeredTo?.includes('app') !== false -> true
    ({ name: one, offeredTo }) => one === id && offeredTo?.includes('app') !== false,
  );
  // @mutant an app calls only the tools of its own folder or server => never
  if (known === undefined)
    throw new Refusal(errorCodes.badParams, `There is no tool named ${name} beside ${own.name}.`);
  // @mutant the calls of an app are not the user's => 'app' -> 'user'
  const result = await calls.call(signal, newCall('app', known.name, JSON.stringify(args)));
  return appResult(result);
}

/** A server's app uses the server's names. One of the folder uses those of the folder's MCP server, or ids. */
async function idOf(
  name: string,
  { server }: RegisteredTool,
  beside: readonly RegisteredTool[],
): Promise<string | undefined> {
  if (server !== undefined) return beside.find(({ handler }) => handler.name === name)?.name;
  return (await mcpNames(beside.map((tool) => tool.name))).toId(name) ?? name;
}

/**
 * Returns the result as MCP has it, for the app. Its first JSON object is the structured content, and its metadata is
 * `_meta`, which a server may write for its app alone.
 */
export function appResult(result: ToolResult): JsonObject {
  const size = result.content.reduce(
    (sum, one) => sum + ('text' in one ? one.text.length : one.data.length),
    result.textResultForLlm.length + result.metadata.length,
  );
  if (size > maxChars)
    return failureResult(
      `The result has ${size} characters, more than the ${maxChars} that an app gets.`,
    );
  const part = result.content.find(
    (one) => one.type === 'json' && one.text.trimStart().startsWith('{'),
  );
  const metadata = asObject(parseJson(result.metadata));
  const written = {
    ...asMcp(result, { isStructured: false }),
    ...(Object.keys(metadata).length > 0 && { _meta: metadata }),
  };
  if (part === undefined) return written;
  const { structuredContent } = asMcp({ ...result, content: [part] }, { isStructured: true });
  return structuredContent === undefined ? written : { ...written, structuredContent };
}

function asMcp(result: ToolResult, { isStructured }: { isStructured: boolean }): JsonObject {
  const shape = { isStructured, anyValue: false, added: '' };
  return asObject(parseJson([...callResultPieces(result, shape)].join('')));
}

/** The arguments of a call as an object; empty if they are too long. */
export function appArguments(args: JsonText): JsonObject {
  return asObject(args.length > maxChars ? undefined : parseJson(args));
}

function failureResult(text: string): JsonObject {
  return { content: [{ type: 'text', text }], isError: true };
}
