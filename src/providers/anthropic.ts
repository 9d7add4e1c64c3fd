/** Anthropic's messages. */

import { createAnthropic } from '@ai-sdk/anthropic';
import type { Adapter } from './adapter.ts';

export const adapter: Adapter = {
  prompt: {
    imagesInAnswers: true,
    reasoning: 'always',
    // What is the same in the next request is read from the cache there.
    cached: { anthropic: { cacheControl: { type: 'ephemeral' } } },
  },
  open: ({ baseUrl, key, headers }, model, fetch) =>
    createAnthropic({
      baseURL: baseUrl,
      apiKey: key,
      headers: {
        // The person's own key, in the person's own browser.
        'anthropic-dangerous-direct-browser-access': 'true',
        ...Object.fromEntries(headers),
      },
      fetch,
    })(model),
  limitsProperties: true,
};
