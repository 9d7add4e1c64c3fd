/** OpenAI's responses. */

import { createOpenAI } from '@ai-sdk/openai';
import type { Adapter } from './adapter.ts';

export const adapter: Adapter = {
  prompt: { imagesInAnswers: true, reasoning: 'always' },
  open: ({ baseUrl, key, headers }, model, fetch) =>
    createOpenAI({
      baseURL: baseUrl,
      apiKey: key,
      headers: Object.fromEntries(headers),
      fetch,
    }).responses(model),
  // Nothing is kept there: reasoning comes here encrypted, and goes back so.
  prepare: (_model, _request, plainly) => ({
    providerOptions: {
      openai: { store: false, ...(plainly ? {} : { reasoningSummary: 'auto' }) },
    },
    strict: false,
  }),
  // Some organisations may not see what their models think.
  isExtra: ({ fault, message }) => fault === 'request' && /summar/i.test(message),
};
