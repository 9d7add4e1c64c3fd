/** OpenAI's responses. */

import { createOpenAI } from '@ai-sdk/openai';
import type { Adapter } from './adapter.ts';
import { forOpenAI } from './tool-schemas.ts';

export const adapter: Adapter = {
  prompt: { imagesInAnswers: true, reasoning: 'always' },
  mostTools: 128,
  tellTool: forOpenAI,
  open: ({ baseUrl, key, headers }, model, fetch) =>
    createOpenAI({
      baseURL: baseUrl,
      apiKey: key,
      headers: Object.fromEntries(headers),
      fetch,
    }).responses(model),
  // Nothing is kept there: reasoning comes here encrypted, and goes back so.
  prepare: ({ adjusted }) => ({
    providerOptions: {
      openai: { store: false, ...(adjusted.has('no-summary') ? {} : { reasoningSummary: 'auto' }) },
    },
    strict: false,
  }),
  // Some organisations may not see what their models think.
  adjustmentFor: (message) => (/summar/i.test(message) ? 'no-summary' : undefined),
};
