/** Test helpers that ask a local model endpoint through the real adapters and the real network. */

import type { ModelLimits, ProviderAccess } from '../../../runtime/protocol/models.ts';
import { defaultLimits } from '../../../runtime/spec/limits.ts';
import { ModelError } from '../../../runtime/spec/model-error.ts';
import type {
  AskModel,
  AssistantPart,
  HttpKind,
  ModelPart,
  ModelRequest,
} from '../../../runtime/spec/model.ts';
import type { ProviderDeps } from '../model-providers.ts';
import { AnswerParts } from '../../turn/answer-parts.ts';
import { savedNameTable } from '../../../runtime/registry/provider-names.ts';
import { loadAdapter } from './load-adapter.ts';
import { askModel } from './ask-model.ts';
import { KnownVariants } from './known-variants.ts';
import { listModels } from './list-models.ts';
import type { ModelNetwork } from './model-network.ts';

/** The network without a page's security rules. */
export const bareNetwork: ModelNetwork = {
  send: async (signal, { url, method, headers, body }) => {
    const list = headers.map(([name, value]): [string, string] => [name, value]);
    const response = await fetch(url, { method, headers: list, body, signal, redirect: 'manual' });
    if (response.status >= 300 && response.status < 400)
      throw new ModelError('request', 'It was to be redirected.');
    return response;
  },
  pageOrigin: 'https://cloche.example',
  online: () => true,
};

/** Remembers no refusals. */
function forgetful(): KnownVariants {
  return new KnownVariants(() => 0);
}

/** Asks models as the worker does in the app. */
export const bareAsker: ProviderDeps['asker'] = {
  pageOrigin: bareNetwork.pageOrigin,
  async *ask(signal, access, ref, request) {
    const adapter = await loadAdapter(access.kind);
    const ask = askModel(adapter, access, ref, bareNetwork, defaultLimits, forgetful());
    yield* ask(signal, request);
  },
  list: (signal, access) => listModels(signal, access, bareNetwork, defaultLimits),
};

export const kinds = [
  'openai-compatible',
  'openai-chat',
  'openai-responses',
  'anthropic',
  'google',
] as const satisfies readonly HttpKind[];

/** A model name that the provider of each kind recognises. */
const modelNames: Readonly<Record<HttpKind, string>> = {
  'openai-compatible': 'qwen3:8b',
  'openai-chat': 'gpt-5',
  'openai-responses': 'gpt-5',
  anthropic: 'claude-sonnet-4-6',
  google: 'gemini-3-pro-preview',
};

export function accessTo(kind: HttpKind, url: string): ProviderAccess {
  const baseUrl = `${url}${kind === 'google' ? '/v1beta' : '/v1'}`;
  return { kind, name: 'The endpoint', baseUrl, key: 'sk-secret-1234', headers: [] };
}

/** Returns a function that asks the endpoint as one of its models. */
export async function asker(
  kind: HttpKind,
  url: string,
  more: {
    access?: Partial<ProviderAccess>;
    limits?: Partial<ModelLimits>;
    network?: Partial<ModelNetwork>;
    model?: string;
    ways?: KnownVariants;
  } = {},
): Promise<AskModel> {
  return askModel(
    await loadAdapter(kind),
    { ...accessTo(kind, url), ...more.access },
    { ...refOf(kind), ...(more.model === undefined ? {} : { model: more.model }) },
    { ...bareNetwork, ...more.network },
    { ...defaultLimits, ...more.limits },
    more.ways ?? forgetful(),
  );
}

export function refOf(kind: HttpKind): { provider: string; model: string } {
  return { provider: 'p1', model: modelNames[kind] };
}

export const hello: ModelRequest = {
  system: 'Be brief.',
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hello' }] }],
  tools: [],
};

export async function partsOf(
  ask: AskModel,
  request: ModelRequest = hello,
  signal = new AbortController().signal,
): Promise<ModelPart[]> {
  const parts: ModelPart[] = [];
  for await (const part of ask(signal, request)) parts.push(part);
  return parts;
}

/** Returns the answer assembled as a session stores it. */
export async function answerTo(
  ask: AskModel,
  kind: HttpKind,
  request: ModelRequest = hello,
  model = refOf(kind).model,
): Promise<readonly AssistantPart[]> {
  let n = 0;
  const names = savedNameTable(request.tools.map(({ name }) => [`id:${name}`, name]));
  const made = { ...refOf(kind), model };
  const answer = new AnswerParts({ model: made, names, newId: () => `call-${(n += 1)}` });
  for (const part of await partsOf(ask, request)) if (part.type !== 'ended') answer.add(part);
  return answer.complete;
}
