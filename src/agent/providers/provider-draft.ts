/** Turns the values of the provider form into a provider and its secrets, which are stored separately. */

import type { StoredProvider, ProviderSecrets, ProviderDraft } from './provider-types.ts';
import { ToolError } from '../../runtime/spec/error.ts';
import type { ModelInfo } from '../../runtime/spec/model.ts';
import { baseUrlOf } from './base-url.ts';
import { modelNamed } from './listed-models.ts';

export function noSecrets(baseUrl: string): ProviderSecrets {
  return { baseUrl, key: '', headers: {} };
}

const maxNameChars = 100;
const maxSecretChars = 10_000;
const maxHeaders = 50;

/** Headers that the browser or the SDKs set themselves. */
const ownHeaders =
  /^(host|cookie2?|origin|referer|connection|content-.*|user-agent|sec-.*|proxy-.*|access-control-.*)$/;

type Models = Pick<StoredProvider, 'models' | 'byHand'>;

export interface ValidDraft {
  readonly provider: StoredProvider;
  readonly secrets: ProviderSecrets;
}

/**
 * Validates a draft.
 *
 * @param before the provider before the change, or null if it is new
 * @throws {ToolError} `bad-input`
 */
export function validateDraft(
  draft: ProviderDraft,
  id: string,
  addedAt: number,
  before: ValidDraft | null,
): ValidDraft {
  const { kind } = draft;
  if (kind === 'browser' || kind === 'replay' || kind === 'extension')
    throw new ToolError(
      'bad-input',
      'This provider is built in and cannot be added.',
      'Add a provider with a base URL.',
    );
  if (before !== null && before.provider.kind !== kind)
    throw new ToolError(
      'bad-input',
      `The API of ${before.provider.name} cannot be changed.`,
      'Add a second provider instead.',
    );
  const baseUrl = baseUrlOf(kind, draft.baseUrl);
  const name = draft.name.trim().slice(0, maxNameChars);
  // Secrets are only sent to the address for which they were entered.
  const moved = before !== null && before.provider.baseUrl !== baseUrl;
  const none = noSecrets(baseUrl);
  // @mutant a key goes to its own address alone => moved ? none : (before?.secrets ?? none) -> before?.secrets ??
  //   none [src/agent/providers/model-providers.test.ts src/agent/providers/key-addresses.test.ts]
  const secrets = secretsIn(draft, moved ? none : (before?.secrets ?? none));
  // At another address, other models may be listed.
  const listed = new Set(
    listedModels(moved ? null : (before?.provider ?? null)).map(({ ref }) => ref.model),
  );
  const byHand = [...new Set(draft.models.map((model) => model.trim()))].filter(
    // A listed model need not be added by hand.
    (model) => model !== '' && model.length <= 200 && !listed.has(model),
  );
  return {
    provider: {
      id,
      kind,
      baseUrl,
      addedAt,
      byHand,
      name: name === '' ? kind : name,
      headers: draft.headers.map(([header]) => header.trim().toLowerCase()),
      models: withModelsByHand(id, before?.provider ?? null, byHand),
      facts: draft.facts ?? [],
      listedAt: before?.provider.listedAt ?? null,
      key: secrets.key === '' ? 'none' : draft.keep,
    },
    secrets,
  };
}

/**
 * Returns whether the change leaves the stored secrets as they are, so that they need not be read.
 *
 * @param isForVisit whether the secrets are held for this visit only
 * @throws {ToolError} `bad-input`
 */
export function keepsSecrets(
  draft: ProviderDraft,
  { baseUrl, headers, key: keyIs }: StoredProvider,
  isForVisit: boolean,
): boolean {
  const hasKey = keyIs !== 'none';
  const keepsKey = draft.key === null || (draft.key.trim() === '' && !hasKey);
  // A provider without a key may have secret headers, for which it does not say how long they are kept.
  const keep = hasKey ? keyIs : isForVisit ? 'visit' : 'kept';
  const hasSecrets = hasKey || headers.length > 0;
  const names = draft.headers.map(([name]) => name.trim().toLowerCase());
  return (
    keepsKey &&
    (!hasSecrets || draft.keep === keep) &&
    draft.headers.every(([, value]) => value.trim() === '') &&
    names.toSorted().join() === headers.toSorted().join() &&
    baseUrlOf(draft.kind, draft.baseUrl) === baseUrl
  );
}

/** Returns whether the draft keeps a previous key or header value. */
export function needsSecrets({ key, headers }: ProviderDraft): boolean {
  return key === null || headers.some(([, value]) => value.trim() === '');
}

/** Returns the listed models, followed by those that were only added by hand. */
export function withModelsByHand(
  provider: string,
  before: Models | null,
  byHand: readonly string[],
): readonly ModelInfo[] {
  const listed = listedModels(before);
  const known = new Set(listed.map(({ ref }) => ref.model));
  return [
    ...listed,
    ...byHand
      .filter((model) => !known.has(model))
      .map((model): ModelInfo => {
        const { id: _id, ...info } = modelNamed(model);
        return { ...info, ref: { provider, model } };
      }),
  ];
}

/** Returns the models that the provider itself has listed. */
function listedModels(before: Models | null): readonly ModelInfo[] {
  const byHand = new Set(before?.byHand);
  return (before?.models ?? []).filter(({ ref }) => !byHand.has(ref.model));
}

function secretsIn(draft: ProviderDraft, before: ProviderSecrets): ProviderSecrets {
  const key = draft.key === null ? before.key : draft.key.trim();
  if (!isHeaderValue(key))
    throw new ToolError(
      'bad-input',
      'This key contains invalid characters.',
      'Copy it again, without any text around it.',
    );
  if (draft.headers.length > maxHeaders)
    throw new ToolError('bad-input', `There are more than ${maxHeaders} headers.`);
  const headers: Record<string, string> = {};
  for (const [entered, value] of draft.headers) {
    const name = entered.trim().toLowerCase();
    if (!/^[a-z0-9!#$%&'*+.^_`|~-]{1,100}$/.test(name) || ownHeaders.test(name))
      throw new ToolError(
        'bad-input',
        `${JSON.stringify(entered.slice(0, 100))} cannot be added as a header.`,
        'Header names contain letters, digits and hyphens. Some headers are set by the browser.',
      );
    if (!isHeaderValue(value.trim()))
      throw new ToolError(
        'bad-input',
        `The value of ${name} contains invalid characters.`,
        'Remove line breaks and characters outside ASCII.',
      );
    headers[name] = value.trim() === '' ? (before.headers[name] ?? '') : value.trim();
  }
  return { ...before, key, headers };
}

function isHeaderValue(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text) && text.length <= maxSecretChars;
}
