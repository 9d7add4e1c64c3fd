/** Validates providers and their secrets as read from storage, which may be damaged or from an older version. */

import { asFields, stringsIn } from '../../runtime/spec/guards.ts';
import { asList } from '../../runtime/spec/lenient.ts';
import type { StoredProvider, ProviderSecrets, ProviderConfig } from './provider-types.ts';
import type { ModelFacts } from './model-facts.ts';
import type { ModelInfo } from '../../runtime/spec/model.ts';
import { baseUrlOf } from './base-url.ts';

const httpKinds = [
  'openai-responses',
  'openai-chat',
  'openai-compatible',
  'anthropic',
  'google',
] as const;

/**
 * Returns undefined if the stored value is not a usable provider.
 *
 * @param maxModels limit for the number of models
 */
export function readStoredProvider(value: unknown, maxModels: number): StoredProvider | undefined {
  const { id, kind, name, baseUrl, headers, models, byHand, facts, listedAt, key, addedAt } =
    asFields(value);
  const known = httpKinds.find((one) => one === kind);
  if (typeof id !== 'string' || id === '' || known === undefined) return undefined;
  if (typeof baseUrl !== 'string' || !isBaseUrl(known, baseUrl)) return undefined;
  return {
    id,
    kind: known,
    baseUrl,
    name: typeof name === 'string' && name !== '' ? name : known,
    headers: stringsIn(headers),
    models: asList(models)
      .slice(0, maxModels)
      .flatMap((model) => readModel(id, model)),
    byHand: stringsIn(byHand),
    facts: asList(facts)
      .slice(0, maxModels)
      .flatMap((one) => readFacts(one)),
    listedAt: typeof listedAt === 'number' ? listedAt : null,
    key: key === 'kept' || key === 'visit' ? key : 'none',
    addedAt: typeof addedAt === 'number' ? addedAt : 0,
  };
}

export function readSecrets(stored: {
  readonly provider: unknown;
  readonly secrets: unknown;
}): ProviderSecrets | undefined {
  const { key, headers, baseUrl } = asFields(stored.secrets);
  // Older versions stored secrets without an address. They belong to the provider's address, with which they were
  // stored.
  const address = baseUrl ?? asFields(stored.provider).baseUrl;
  if (typeof key !== 'string' || typeof address !== 'string') return undefined;
  const values = Object.entries(asFields(headers)).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return { baseUrl: address, key, headers: Object.fromEntries(values) };
}

function isBaseUrl(kind: ProviderConfig['kind'], baseUrl: string): boolean {
  try {
    return baseUrlOf(kind, baseUrl) === baseUrl;
  } catch {
    return false;
  }
}

function readModel(provider: string, value: unknown): ModelInfo[] {
  const { ref, label, context, images, price, tools } = asFields(value);
  const { model } = asFields(ref);
  if (typeof model !== 'string' || model === '') return [];
  const { input, cached, output } = asFields(price);
  const priced = [input, cached, output].every((one) => typeof one === 'number' && one >= 0);
  return [
    {
      ref: { provider, model },
      label: typeof label === 'string' ? label : model,
      context: typeof context === 'number' && context > 0 ? context : null,
      images: typeof images === 'boolean' ? images : null,
      price: priced
        ? { input: Number(input), cached: Number(cached), output: Number(output) }
        : null,
      ...(tools === false ? { tools: false } : {}),
    },
  ];
}

function readFacts(value: unknown): ModelFacts[] {
  const { model } = asFields(value);
  return readModel('', { ...asFields(value), ref: { model } }).map(({ ref, price, context }) => ({
    model: ref.model,
    price,
    context,
  }));
}
