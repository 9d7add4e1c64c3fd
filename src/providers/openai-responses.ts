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
  prepare: () => ({ providerOptions: { openai: { store: false } }, strict: false }),
};
