/** Names of the kinds of model providers. */

import type { ProviderKind } from '../../../runtime/spec/model.ts';

export const kindWords: Readonly<Record<Exclude<ProviderKind, 'replay'>, string>> = {
  'openai-compatible': 'OpenAI-compatible',
  'openai-responses': 'OpenAI (Responses)',
  'openai-chat': 'OpenAI (Chat Completions)',
  anthropic: 'Anthropic',
  google: 'Google',
  browser: 'Built into this browser',
  extension: 'Code of an extension',
};
