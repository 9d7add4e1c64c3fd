/** Adapters for OpenAI's two APIs: Chat Completions and Responses. */

import { createOpenAI } from '@ai-sdk/openai';
import type { ProviderAccess } from '../../../runtime/protocol/models.ts';
import type { Adapter, SdkFetch } from './adapter.ts';
import { streamOfAnswer, ChatFrames } from './chat-frames.ts';
import { callDataEdit } from './chat-calls.ts';
import { joinTexts } from './joined-texts.ts';
import { ResponsesFrames, streamOfResponse } from './responses-frames.ts';
import { toolRules } from './tool-rules.ts';

export const chat: Adapter = {
  prompt: { imagesInAnswers: false, reasoning: 'turn' },
  ...toolRules['openai-chat'],
  open: (access, model, fetch) => openProvider(access, fetch).chat(model),
  prepare: ({ request }) => {
    const frames = new ChatFrames(request);
    const edit = callDataEdit(request);
    return {
      frames,
      joinLines: joinTexts,
      asStream: streamOfAnswer,
      ...(edit === undefined ? {} : { edit }),
      readParts: (parts) => frames.parts(parts),
    };
  },
};

export const responses: Adapter = {
  prompt: { imagesInAnswers: true, reasoning: 'always' },
  ...toolRules['openai-responses'],
  open: (access, model, fetch) => openProvider(access, fetch).responses(model),
  // Nothing is stored at OpenAI: reasoning is returned encrypted, and sent back with the next request.
  prepare: ({ adjusted }) => ({
    frames: new ResponsesFrames(),
    asStream: streamOfResponse,
    providerOptions: {
      openai: { store: false, ...(adjusted.has('no-summary') ? {} : { reasoningSummary: 'auto' }) },
    },
    strict: false,
  }),
  // Some organisations may not see reasoning summaries.
  adjustmentFor: (message) => (/summar/i.test(message) ? 'no-summary' : undefined),
};

function openProvider({ baseUrl, key, headers }: ProviderAccess, fetch: SdkFetch) {
  return createOpenAI({
    baseURL: baseUrl,
    apiKey: key,
    fetch,
    headers: Object.fromEntries(headers),
  });
}
