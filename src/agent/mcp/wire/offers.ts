/** What a server offers apart from tools: resources, templates of resources, and prompts. */

import { UriTemplate, type Client } from '@modelcontextprotocol/client';
import type {
  Completing,
  ListedPrompt,
  ListedResource,
  ServerOffers,
} from '../../../runtime/protocol/mcp.ts';
import { asFields } from '../../../runtime/spec/guards.ts';
import { listAllPages, requestMs } from './list-pages.ts';
import { faultOf } from './mcp-error.ts';

/** Limits of a list, of a text, and of the fields of an offer. */
const maxOffers = 1_000;
const maxText = 1_000;
const maxUri = 8_000;
const maxFields = 50;
const maxValues = 100;

/**
 * Lists what the server offers. A list that the server refuses is empty: some servers declare lists that they lack.
 * @param note receives which lists were refused, and why
 * @throws if a list fails for another reason
 */
export async function listOffers(
  client: Client,
  note: (problem: string) => void,
): Promise<ServerOffers> {
  const capabilities = client.getServerCapabilities();
  const hasResources = capabilities?.resources !== undefined;
  const list = async (isOffered: boolean, method: string, member: string): Promise<unknown[]> => {
    try {
      return isOffered ? [...(await listAllPages(client, method, member))] : [];
    } catch (thrown) {
      // Servers may have resources without templates.
      if (method === 'resources/templates/list') return [];
      const { cause, message } = faultOf(thrown);
      if (cause !== 'refused') throw thrown;
      note(`${method}: ${message}`);
      return [];
    }
  };
  const [plain, templates, named] = await Promise.all([
    list(hasResources, 'resources/list', 'resources'),
    list(hasResources, 'resources/templates/list', 'resourceTemplates'),
    list(capabilities?.prompts !== undefined, 'prompts/list', 'prompts'),
  ]);
  const resources = withoutRepeats([...plain, ...templates].map(resourceOf), ({ uri }) => uri);
  const prompts = withoutRepeats(named.map(promptOf), ({ name }) => name);
  const all = plain.length + templates.length + named.length;
  const offers = {
    // @mutant the number of resources of a server is bounded => maxOffers -> Infinity
    //   [src/agent/mcp/offers.test.ts]
    resources: resources.slice(0, maxOffers),
    prompts: prompts.slice(0, maxOffers),
  };
  return { ...offers, dropped: all - offers.resources.length - offers.prompts.length };
}

export function expandTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return new UriTemplate(template).expand(values);
}

export async function requestCompletions(
  client: Client,
  { of, field, value, others }: Completing,
): Promise<readonly string[]> {
  if (client.getServerCapabilities()?.completions === undefined) return [];
  const ref =
    'prompt' in of
      ? ({ type: 'ref/prompt', name: of.prompt } as const)
      : ({ type: 'ref/resource', uri: of.template } as const);
  const { completion } = await client.complete(
    { ref, argument: { name: field, value }, context: { arguments: { ...others } } },
    { timeout: requestMs },
  );
  const values = completion.values.slice(0, maxValues).map((value) => value.slice(0, maxText));
  return [...new Set(values)];
}

function resourceOf(value: unknown): ListedResource | null {
  const { uri, uriTemplate, name, title, description } = asFields(value);
  const address = typeof uri === 'string' ? uri : uriTemplate;
  if (typeof address !== 'string' || address.length > maxUri) return null;
  let variables: readonly string[] = [];
  try {
    if (typeof uri !== 'string') variables = new UriTemplate(address).variableNames;
  } catch {
    return null;
  }
  return {
    uri: address,
    variables: [...new Set(variables)].slice(0, maxFields),
    name: text(title) || text(name) || address.slice(0, maxText),
    description: text(description),
  };
}

function promptOf(value: unknown): ListedPrompt | null {
  const { name, title, description, arguments: given } = asFields(value);
  if (typeof name !== 'string' || name.length > maxText) return null;
  const all: unknown[] = Array.isArray(given) ? given : [];
  const named = all.slice(0, maxFields).map(asFields);
  return {
    name,
    title: text(title) || name,
    description: text(description),
    arguments: withoutRepeats(
      named.map((one) =>
        typeof one.name === 'string' && one.name.length <= maxText
          ? { name: one.name, description: text(one.description), required: one.required === true }
          : null,
      ),
      (one) => one.name,
    ),
  };
}

/** Leaves out what is not valid, and what is named like an earlier one. */
function withoutRepeats<T>(all: readonly (T | null)[], nameOf: (one: T) => string): T[] {
  const known = new Map<string, T>();
  for (const one of all) if (one !== null && !known.has(nameOf(one))) known.set(nameOf(one), one);
  return [...known.values()];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, maxText) : '';
}
