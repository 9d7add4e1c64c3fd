/** Answers `GET api/tools?format=…`, in the page and in the service worker: all tools as one provider takes them. */

import { createPacer } from '../async/pace.ts';
import { respondIfChanged } from '../protocol/listing.ts';
import { problemResponse } from '../protocol/problem-document.ts';
import { yieldDefinitions, type DefinedTool, type Provider } from './provider-definitions.ts';
import { toolNames } from './provider-names.ts';

export type { DefinedTool };

const formats: ReadonlyMap<string, Provider> = new Map([
  ['openai', 'openai-chat'],
  ['openai-responses', 'openai-responses'],
  ['anthropic', 'anthropic'],
  ['gemini', 'gemini'],
  ['mcp', 'mcp'],
]);

/**
 * The body is the `tools` member of a request.
 *
 * @param etag of the listing, in quotes
 * @param tools are read only if they are sent
 */
export async function answerDefinitions(
  request: Pick<Request, 'method' | 'headers'>,
  format: string,
  etag: string,
  tools: () => readonly DefinedTool[],
): Promise<Response> {
  const provider = formats.get(format);
  if (provider === undefined)
    return problemResponse({
      status: 400,
      code: 'bad-request',
      detail: `There is no format ${format.slice(0, 100)}.`,
      hint: `Use ${[...formats.keys()].join(', ')}, or none for the listing of Cloche.`,
    });
  const head = respondIfChanged(request, `${etag.slice(0, -1)}.${format}"`, () => '');
  if (head.status === 304 || request.method === 'HEAD') return head;
  return new Response(await definitionsText(provider, tools()), head);
}

/** @throws {ToolError} if the provider would not accept a tool */
async function definitionsText(provider: Provider, tools: readonly DefinedTool[]): Promise<string> {
  const names = await toolNames(tools.map(({ name }) => name));
  const pacer = createPacer();
  const defined: string[] = [];
  for await (const one of yieldDefinitions(provider, tools, names)) {
    defined.push(JSON.stringify(one));
    if (pacer.mustRest()) await pacer.rest();
  }
  const all = `[${defined.join()}]`;
  // Gemini expects one tool that contains all functions.
  return provider === 'gemini' ? `[{"functionDeclarations":${all}}]` : all;
}
