/** The tools of the folder as MCP clients see them: their names, their definitions, and the reading of a call. */

import { createPacer } from '../../../runtime/async/pace.ts';
import { serverInfo } from '../../../runtime/protocol/mcp-handshake.ts';
import { yieldDefinitions } from '../../../runtime/registry/provider-definitions.ts';
import { mcpNames } from '../../../runtime/registry/mcp-names.ts';
import type { NameTable } from '../../../runtime/registry/provider-names.ts';
import type { JsonText } from '../../../runtime/spec/json.ts';
import type { RegisteredTool } from '../../../runtime/spec/tool.ts';
import type { ApiDeps } from '../api-deps.ts';
import { listingTag } from '../listing.ts';
import { errorCodes, orEmpty, parseMember, type McpError } from './messages.ts';

export class McpTools {
  readonly #deps: Pick<ApiDeps, 'listing' | 'settled' | 'tool'>;
  #named: { readonly tag: string; readonly names: Promise<NameTable> } | undefined;

  constructor(deps: Pick<ApiDeps, 'listing' | 'settled' | 'tool'>) {
    this.#deps = deps;
  }

  /** Describes this server: the folder, and the version of its tools. */
  get serverInfo(): object {
    const { folder, revision } = this.#deps.listing();
    return serverInfo(folder, revision);
  }

  /**
   * The JSON of the list, after a scan in progress.
   * @param options.anyOutputType whether the schema of a result may have any type; in the revisions of 2025, results are objects
   */
  async list(
    signal: AbortSignal,
    { anyOutputType }: { anyOutputType: boolean },
  ): Promise<JsonText> {
    await this.#deps.settled(signal);
    const { tools } = this.#deps.listing();
    const names = await this.#names();
    const returns = new Map(tools.map((tool) => [names.toWire(tool.name), tool.returns]));
    const pacer = createPacer();
    const defined: JsonText[] = [];
    for await (const one of yieldDefinitions('mcp', tools, names)) {
      const outputSchema = anyOutputType ? (returns.get(one.name as string) ?? null) : null;
      const all = outputSchema === null ? one : { ...one, outputSchema };
      defined.push(JSON.stringify(all, withoutHeader));
      if (pacer.mustRest()) await pacer.rest();
    }
    return `[${defined.join()}]`;
  }

  /** Finds the tool and the arguments of `tools/call`, after a scan in progress. */
  async read(
    signal: AbortSignal,
    params: ReadonlyMap<string, JsonText>,
  ): Promise<{ readonly tool: RegisteredTool; readonly args: JsonText } | McpError> {
    const name = parseMember(params.get('name'));
    const args = orEmpty(params.get('arguments'));
    if (typeof name !== 'string') return badParams('"name" is not a string.');
    if (!args.startsWith('{')) return badParams('"arguments" is not an object.');
    await this.#deps.settled(signal);
    const id = (await this.#names()).toId(name);
    const tool = id === undefined ? undefined : this.#deps.tool(id);
    return tool === undefined ? badParams(`Unknown tool: ${name.slice(0, 200)}`) : { tool, args };
  }

  #names(): Promise<NameTable> {
    const listing = this.#deps.listing();
    const tag = listingTag(listing);
    if (this.#named?.tag !== tag)
      this.#named = { tag, names: mcpNames(listing.tools.map((tool) => tool.name)) };
    return this.#named.names;
  }
}

/**
 * Leaves out the mark of an argument that clients would repeat in a header, for proxies that route by it: nothing
 * here checks that the two agree.
 */
function withoutHeader(key: string, value: unknown): unknown {
  return key === 'x-mcp-header' ? undefined : value;
}

export function badParams(message: string): McpError {
  return { code: errorCodes.badParams, message };
}
