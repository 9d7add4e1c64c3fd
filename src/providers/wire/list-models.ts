/** Has a provider list its models. */

import { longestListMs, type ModelLimits, type ProviderAccess } from '../../protocol/models.ts';
import type { ModelNetwork } from './model-network.ts';
import { ModelError } from '../../spec/model-error.ts';
import type { ListedModel } from '../../spec/model.ts';
import { accessHeaders } from './access.ts';
import { Exchange } from './exchange.ts';
import { isLocal } from './local-host.ts';
import { readPage } from '../listed-models.ts';
import { withCapabilities } from './ollama-capabilities.ts';

/** A list is there at once, or there is something wrong; milliseconds. */
const listMs = 30_000;
const mostPages = 20;
const ollamas = '/api/tags';

/** @throws {ModelError} also where it takes longer than {@link longestListMs} */
export async function listModels(
  signal: AbortSignal,
  access: ProviderAccess,
  network: ModelNetwork,
  limits: ModelLimits,
): Promise<readonly ListedModel[]> {
  const late = new AbortController();
  const clock = setTimeout(() => {
    late.abort(endless(access));
  }, longestListMs);
  try {
    return await listed(AbortSignal.any([signal, late.signal]), access, network, limits);
  } finally {
    clearTimeout(clock);
  }
}

async function listed(
  signal: AbortSignal,
  access: ProviderAccess,
  network: ModelNetwork,
  limits: ModelLimits,
): Promise<readonly ListedModel[]> {
  const patience = { ...limits, modelFirstMs: Math.min(limits.modelFirstMs, listMs) };
  const [first, ...others] = addresses(access);
  let refusal: ModelError | null = null;
  for (const address of [first, ...others]) {
    try {
      return await pages(address);
    } catch (thrown) {
      if (signal.aborted || !(thrown instanceof ModelError)) throw thrown;
      // Where the usual list is not to be had, a server's own may be; what that says without a key counts for nothing.
      if (isKeyed(address) && !/^(model|request|answer)$/.test(thrown.fault)) throw thrown;
      refusal ??= thrown;
    }
  }
  throw refusal ?? new ModelError('answer', `${access.name} lists no models.`);

  async function pages(address: string): Promise<readonly ListedModel[]> {
    const models: ListedModel[] = [];
    let query =
      access.kind === 'google' ? 'pageSize=1000' : access.kind === 'anthropic' ? 'limit=1000' : '';
    for (let page = 0; page < mostPages; page += 1) {
      const value = await asked(query === '' ? address : `${address}?${query}`);
      const read = readPage(
        address.endsWith(ollamas) ? await withCapabilities(value, show) : value,
      );
      if (read === undefined) throw noList(access);
      models.push(...read.models);
      if (read.next === null || models.length >= limits.models) break;
      query = read.next;
    }
    return [...new Map(models.map((model) => [model.id, model])).values()].slice(0, limits.models);
  }

  /** Undefined where it does not say. */
  function show(model: string): Promise<unknown> {
    const url = `${new URL(access.baseUrl).origin}/api/show`;
    return asked(url, JSON.stringify({ model })).catch((thrown: unknown) => {
      if (signal.aborted) throw thrown;
      return undefined;
    });
  }

  /** The key was entered for the base URL: others may be behind the rest of a host, unless that is the person's own. */
  function isKeyed(url: string): boolean {
    return url.startsWith(`${access.baseUrl}/`) || isNear(access);
  }

  async function asked(url: string, body?: string): Promise<unknown> {
    const exchange = new Exchange(signal, access, '', network, patience);
    try {
      const fetch = exchange.fetch({}, 'json');
      const headers = isKeyed(url) ? accessHeaders(access) : new Headers();
      if (body !== undefined) headers.set('content-type', 'application/json');
      const response = await fetch(
        url,
        body === undefined ? { headers } : { method: 'POST', headers, body },
      );
      return (await response.json()) as unknown;
    } catch (thrown) {
      if (signal.aborted) throw signal.reason;
      throw exchange.fault ?? (thrown instanceof SyntaxError ? noList(access) : thrown);
    } finally {
      exchange.close();
    }
  }
}

function addresses(access: ProviderAccess): [string, ...string[]] {
  const { kind, baseUrl } = access;
  const usual = `${baseUrl}/models`;
  if (kind !== 'openai-compatible') return [usual];
  const { origin, port } = new URL(baseUrl);
  if (!isNear(access)) return [usual, `${origin}${ollamas}`];
  // Their own lists say more than the usual one, and older Ollamas have no other.
  if (port === '1234') return [`${origin}/api/v0/models`, usual];
  const tags = `${origin}${ollamas}`;
  return port === '11434' ? [tags, usual] : [usual, tags];
}

function isNear({ baseUrl }: ProviderAccess): boolean {
  return isLocal(new URL(baseUrl).hostname);
}

function endless({ name }: ProviderAccess): ModelError {
  return new ModelError(
    'network',
    `${name} had not listed all of its models after ${longestListMs / 60_000} minutes.`,
    'Try again later, or add models manually.',
  );
}

function noList({ name, baseUrl }: ProviderAccess): ModelError {
  return new ModelError(
    'answer',
    `${name} returned no list of models.`,
    `Check that the base URL ${baseUrl} belongs to this API, or add models manually.`,
  );
}
