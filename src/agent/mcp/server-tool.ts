/** Makes tools of a server's definitions. */

import { createPacer } from '../../runtime/async/pace.ts';
import { checkTool } from '../../runtime/scan/check-tool.ts';
import type { ListedDefinition } from '../../runtime/protocol/mcp.ts';
import { asObject, asFields, isObject, parseJson } from '../../runtime/spec/guards.ts';
import {
  definitionPermission,
  type RegisteredTool,
  type ToolServer,
} from '../../runtime/spec/tool.ts';
import { plainTool } from '../../runtime/spec/plain-tool.ts';
import { asText } from '../../runtime/spec/lenient.ts';

/** Longest run of a call; seconds. */
const timeoutS = 600;
const maxLabel = 200;

interface ToolOrigin {
  /** The first part of each tool's name. */
  readonly key: string;
  readonly server: ToolServer;
  readonly now: number;
}

/** Makes the tools, and says why others are left out. */
export async function serverTools(
  definitions: readonly ListedDefinition[],
  origin: ToolOrigin,
): Promise<{ readonly tools: readonly RegisteredTool[]; readonly problems: string[] }> {
  const tools: RegisteredTool[] = [];
  const problems: string[] = [];
  const pacer = createPacer();
  const ids = new Set<string>();
  for (const [index, definition] of definitions.entries()) {
    const tool = serverTool(definition, { ...origin, line: index + 1 });
    // @mutant two tools of a server do not share a name => never [src/agent/mcp/sloppy-servers.test.ts]
    if (ids.has(tool.name)) {
      problems.push(`Tool “${definition.name}”: left out, as another tool is called ${tool.name}.`);
      continue;
    }
    ids.add(tool.name);
    const faults = (await checkTool(tool, pacer)).filter(({ severity }) => severity === 'error');
    if (faults.length === 0) tools.push(tool);
    else problems.push(...faults.map(({ message }) => message));
  }
  return { tools, problems };
}

/** @param line the tool's place in the list */
function serverTool(
  { name, text, hash }: ListedDefinition,
  { key, server, line, now }: ToolOrigin & { readonly line: number },
): RegisteredTool {
  const { title, description, inputSchema, outputSchema, annotations, _meta } = asFields(
    parseJson(text),
  );
  const app = appOf(_meta);
  const hints = asObject(annotations);
  const label = [title, hints.title].find((one) => typeof one === 'string' && one !== '');
  // Calls send the server its own name. The id has no characters that could imitate another name, or a text of Cloche.
  const id = `${key}:${name.replace(/[^A-Za-z0-9_./-]/gu, '_')}`;
  return plainTool(id, {
    label: typeof label === 'string' ? label.slice(0, maxLabel) : id,
    description: asText(description),
    parameters: asObject(inputSchema),
    source: { file: server.url, line, column: null },
    // Its calls stream updates, as those of such a handler do.
    handler: { kind: 'async-generator', name, file: null, line: null },
    // The server decides whether it takes arguments that its schema does not declare.
    takesMore: true,
    timeout_s: timeoutS,
    // Hints such as readOnlyHint are the server's own words, so they decide nothing.
    requires_approval: true,
    concurrency_safe: false,
    returns: isObject(outputSchema) ? outputSchema : null,
    annotations: hints,
    ...(app === null ? {} : { app: { file: app, connectDomains: [], resourceDomains: [] } }),
    ...offeredTo(_meta),
    hash,
    loadedAt: now,
    server,
    permission: definitionPermission(id, hash),
  });
}

/** Who may call the tool. Models and apps may if the server names neither. */
function offeredTo(meta: unknown): Pick<RegisteredTool, 'offeredTo'> {
  const { visibility } = asFields(asFields(meta).ui);
  if (!Array.isArray(visibility)) return {};
  return { offeredTo: (['model', 'app'] as const).filter((who) => visibility.includes(who)) };
}

/** The resource with the tool's app; null if it has none. Older servers write the key flat. */
function appOf(meta: unknown): string | null {
  const { ui, 'ui/resourceUri': flat } = asFields(meta);
  const uri = asFields(ui).resourceUri ?? flat;
  return typeof uri === 'string' && uri.startsWith('ui://') && uri.length <= 1_000 ? uri : null;
}
