/** Requests the list of a provider's models. */

import {
  longestListMs,
  type ModelLimits,
  type ProviderAccess,
} from '../../../runtime/protocol/models.ts';
import { asFields, type Fields } from '../../../runtime/spec/guards.ts';
import { ModelError } from '../../../runtime/spec/model-error.ts';
import type { ListedModel } from '../../../runtime/spec/model.ts';
import { readPage } from '../listed-models.ts';
import { accessHeaders } from './access.ts';
import { answerMask } from './answer-mask.ts';
import { Exchange } from './exchange.ts';
import type { ExchangeRecorder } from './exchange-recorder.ts';
import { isLocal } from './local-host.ts';
import type { ModelNetwork } from './model-network.ts';

/** Limit in milliseconds for the response of a list to begin. */
const listMs = 30_000;
const maxPages = 20;
const ollamaTags = '/api/tags';

/** @throws {ModelError} including when it takes longer than {@link longestListMs} */
export async function listModels(
  signal: AbortSignal,
  access: ProviderAccess,
  network: ModelNetwork,
  limits: ModelLimits,
  recorder: ExchangeRecorder | null = null,
): Promise<readonly ListedModel[]> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(listTimedOut(access)), longestListMs);
  try {
    const either = AbortSignal.any([signal, timeout.signal]);
    return await requestList(either, access, network, limits, recorder);
  } finally {
    clearTimeout(timer);
  }
}

async function requestList(
  signal: AbortSignal,
  access: ProviderAccess,
  network: ModelNetwork,
  limits: ModelLimits,
  recorder: ExchangeRecorder | null,
): Promise<readonly ListedModel[]> {
  const listLimits = { ...limits, modelFirstMs: Math.min(limits.modelFirstMs, listMs) };
  const [first, ...others] = addresses(access);
  let refusal: ModelError | null = null;
  for (const address of [first, ...others]) {
    try {
      return await pages(address);
    } catch (thrown) {
      if (signal.aborted || !(thrown instanceof ModelError)) throw thrown;
      // If the usual list is not available, a server's own list may be. An error of a request without the key says
      // nothing about the provider.
      if (mayReceiveKey(address) && !/^(model|request|answer)$/.test(thrown.fault)) throw thrown;
      refusal ??= thrown;
    }
  }
  throw refusal ?? new ModelError('answer', `${access.name} lists no models.`);

  async function pages(address: string): Promise<readonly ListedModel[]> {
    const models: ListedModel[] = [];
    let query =
      access.kind === 'google' ? 'pageSize=1000' : access.kind === 'anthropic' ? 'limit=1000' : '';
    for (let page = 0; page < maxPages; page += 1) {
      const value = await requestJson(query === '' ? address : `${address}?${query}`);
      const read = readPage(
        address.endsWith(ollamaTags) ? await withCapabilities(value, show) : value,
      );
      if (read === undefined) throw noList(access);
      models.push(...read.models);
      if (read.next === null || models.length >= limits.models) break;
      query = read.next;
    }
    return [...new Map(models.map((model) => [model.id, model])).values()].slice(0, limits.models);
  }

  /** Resolves to undefined if the server does not answer. */
  function show(model: string): Promise<unknown> {
    const url = `${new URL(access.baseUrl).origin}/api/show`;
    return requestJson(url, JSON.stringify({ model })).catch((thrown: unknown) => {
      if (signal.aborted) throw thrown;
      return undefined;
    });
  }

  /**
   * The key was entered for the base URL. Other paths of the host may belong to someone else, unless the host is local.
   */
  function mayReceiveKey(url: string): boolean {
    return url.startsWith(`${access.baseUrl}/`) || isLocalProvider(access);
  }

  async function requestJson(url: string, body?: string): Promise<unknown> {
    const exchange = new Exchange(signal, access, '', network, listLimits, recorder);
    try {
      const fetch = exchange.fetch({}, 'json');
      const headers = mayReceiveKey(url) ? accessHeaders(access) : new Headers();
      if (body !== undefined) headers.set('content-type', 'application/json');
      const response = await fetch(
        url,
        body === undefined
          ? { redirect: 'manual', headers }
          : { method: 'POST', redirect: 'manual', headers, body },
      );
      const text = await response.text();
      return JSON.parse(answerMask(access)?.text(text) ?? text) as unknown;
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
  if (!isLocalProvider(access)) return [usual, `${origin}${ollamaTags}`];
  // The servers' own lists contain more than the usual one, and old versions of Ollama have no
  // other.
  if (port === '1234') return [`${origin}/api/v0/models`, usual];
  const tags = `${origin}${ollamaTags}`;
  return port === '11434' ? [tags, usual] : [usual, tags];
}

function isLocalProvider({ baseUrl }: ProviderAccess): boolean {
  return isLocal(new URL(baseUrl).hostname);
}

function listTimedOut({ name }: ProviderAccess): ModelError {
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

/** Limits for the number of requests, in total and at a time. */
const maxRequests = 200;
const batchSize = 4;

/**
 * Adds capabilities to Ollama’s list. Newer versions include them; older ones report them per model. Returns the
 * list with the capabilities that were found.
 *
 * @param list the response of `/api/tags`
 * @param show requests `/api/show` for one model
 */
async function withCapabilities(
  list: unknown,
  show: (model: string) => Promise<unknown>,
): Promise<unknown> {
  const { models } = asFields(list);
  if (!Array.isArray(models)) return list;
  const found = new Map<unknown, unknown>();
  const open = models
    .map((model) => asFields(model))
    .filter(({ capabilities, name }) => capabilities === undefined && typeof name === 'string')
    .slice(0, maxRequests);
  const ask = async ({ name }: Fields): Promise<boolean> => {
    const { capabilities } = asFields(await show(String(name)));
    if (!Array.isArray(capabilities)) return false;
    found.set(name, capabilities);
    return true;
  };
  // If the first request finds nothing, the others would not either: the server is too old, or is not Ollama.
  let continues = open[0] !== undefined && (await ask(open[0]));
  for (let at = 1; continues && at < open.length; at += batchSize)
    continues = (await Promise.all(open.slice(at, at + batchSize).map(ask))).includes(true);
  return {
    models: models.map((model: unknown) => {
      const capabilities = found.get(asFields(model).name);
      return capabilities === undefined ? model : { ...asFields(model), capabilities };
    }),
  };
}
