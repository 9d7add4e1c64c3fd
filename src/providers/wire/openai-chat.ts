/** Adapter for OpenAI's Chat Completions API. */

import { createOpenAI } from '@ai-sdk/openai';
import type { Adapter } from './adapter.ts';
import { asStream, chatLines } from './chat-lines.ts';
import { joinedTexts } from './joined-texts.ts';
import { toolRules } from './tool-rules.ts';

export const adapter: Adapter = {
  prompt: { imagesInAnswers: false, reasoning: 'turn' },
  ...toolRules['openai-chat'],
  open: ({ baseUrl, key, headers }, model, fetch) =>
    createOpenAI({
      baseURL: baseUrl,
      apiKey: key,
      headers: Object.fromEntries(headers),
      fetch,
    }).chat(model),
  prepare: () => ({ readLine: chatLines(), joinLines: joinedTexts, asStream }),
};
