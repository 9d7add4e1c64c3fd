/** The state of a provider, in words: ready, without a key, not reachable. */

import type { ProviderConfig } from '../../../../agent/providers/provider-types.ts';
import { countText } from '../../../../runtime/spec/count-text.ts';
import type { Trial } from './models.svelte.ts';

export interface ProviderState {
  readonly is: 'ready' | 'checking' | 'problem' | 'unknown';
  readonly words: string;
}

/** The kinds whose default address requires a key. */
const needsKey = new Set(['openai-responses', 'openai-chat', 'anthropic', 'google']);

/** @param trial the running or last check of this visit */
export function providerState(
  {
    kind,
    baseUrl,
    key,
    models,
    listedAt,
  }: Pick<ProviderConfig, 'kind' | 'baseUrl' | 'key' | 'models' | 'listedAt'>,
  trial: Trial | undefined,
): ProviderState {
  if (trial?.at === 'testing' || trial?.at === 'listing')
    return { is: 'checking', words: 'Checking' };
  if (needsKey.has(kind) && baseUrl === '' && key === 'none')
    return { is: 'problem', words: 'No key' };
  if (trial?.at === 'failed') return { is: 'problem', words: failureText(trial.fault.of) };
  if (trial?.at === 'tested' && !trial.diagnosis.ok)
    return { is: 'problem', words: failureText(trial.diagnosis.fault) };
  // Browsers have the interface of a built-in model also on computers that cannot run it.
  if (kind === 'browser' && trial?.at !== 'tested')
    return { is: 'unknown', words: 'Not checked yet' };
  if (models.length > 0)
    return { is: 'ready', words: `Ready: ${countText(models.length, 'model')}` };
  if (trial?.at === 'listed' || listedAt !== null) return { is: 'problem', words: 'No models' };
  return { is: 'unknown', words: 'Not checked yet' };
}

function failureText(fault: string | undefined): string {
  switch (fault) {
    case 'cors':
      return 'Not reachable: it does not allow this page (CORS)';
    case 'network':
      return 'Not reachable, or it does not allow this page (CORS)';
    case 'key':
      return 'The key was not accepted';
    default:
      return 'The last check failed';
  }
}
