/** Adapter for OpenAI's Responses API. */

import { createOpenAI } from '@ai-sdk/openai';
import type { Adapter } from './adapter.ts';
import { toolRules } from './tool-rules.ts';

export const adapter: Adapter = {
  prompt: { imagesInAnswers: true, reasoning: 'always' },
  ...toolRules['openai-responses'],
  open: ({ baseUrl, key, headers }, model, fetch) =>
    createOpenAI({
      baseURL: baseUrl,
      apiKey: key,
      headers: Object.fromEntries(headers),
      fetch,
    }).responses(model),
  // Nothing is stored at OpenAI: reasoning is returned encrypted, and sent back with the next request.
  prepare: ({ adjusted }) => ({
    providerOptions: {
      openai: { store: false, ...(adjusted.has('no-summary') ? {} : { reasoningSummary: 'auto' }) },
    },
    strict: false,
  }),
  // Some organisations may not see reasoning summaries.
  adjustmentFor: (message) => (/summar/i.test(message) ? 'no-summary' : undefined),
};
