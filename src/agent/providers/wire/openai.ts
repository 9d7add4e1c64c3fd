/** Adapters for OpenAI's two APIs: Chat Completions and Responses. */

import { createOpenAI } from '@ai-sdk/openai';
import type { ProviderAccess } from '../../../runtime/protocol/models.ts';
import { isObject } from '../../../runtime/spec/guards.ts';
import type { Json, JsonObject } from '../../../runtime/spec/json.ts';
import type { Adapter, SdkFetch } from './adapter.ts';
import { streamOfAnswer, ChatFrames } from './chat-frames.ts';
import { callDataEdit } from './chat-calls.ts';
import { joinedTexts } from './joined-texts.ts';
import { hasError, type AnswerFrames, type Frame } from './frames.ts';
import { toolRules } from './tool-rules.ts';

export const chat: Adapter = {
  prompt: { imagesInAnswers: false, reasoning: 'turn' },
  ...toolRules['openai-chat'],
  open: (access, model, fetch) => opened(access, fetch).chat(model),
  prepare: ({ request }) => {
    const frames = new ChatFrames();
    const edit = callDataEdit(request);
    return {
      frames,
      joinLines: joinedTexts,
      asStream: streamOfAnswer,
      ...(edit === undefined ? {} : { edit }),
      readParts: (parts) => frames.parts(parts),
    };
  },
};

export const responses: Adapter = {
  prompt: { imagesInAnswers: true, reasoning: 'always' },
  ...toolRules['openai-responses'],
  open: (access, model, fetch) => opened(access, fetch).responses(model),
  // Nothing is stored at OpenAI: reasoning is returned encrypted, and sent back with the next request.
  prepare: ({ adjusted }) => ({
    frames: new ResponsesFrames(),
    providerOptions: {
      openai: { store: false, ...(adjusted.has('no-summary') ? {} : { reasoningSummary: 'auto' }) },
    },
    strict: false,
  }),
  // Some organisations may not see reasoning summaries.
  adjustmentFor: (message) => (/summar/i.test(message) ? 'no-summary' : undefined),
};

function opened({ baseUrl, key, headers }: ProviderAccess, fetch: SdkFetch) {
  return createOpenAI({
    baseURL: baseUrl,
    apiKey: key,
    fetch,
    headers: Object.fromEntries(headers),
  });
}

/** Reads the frames of the Responses API. */
class ResponsesFrames implements AnswerFrames {
  hasAnswer = false;

  read({ event, text, value }: Frame): readonly string[] | null {
    // Some servers name the event only in the line before the data.
    const type = typeof value.type === 'string' ? value.type : event;
    // A chat-completions stream is passed on, so that the SDK reports the wrong address.
    const isOtherApi = Array.isArray(value.choices) && value.choices.some(isObject);
    const isAnswer = /^(?:response\.|error$)/.test(type) || hasError(value) || isOtherApi;
    if (!isAnswer) return null;
    this.hasAnswer = true;
    // The error is passed on in the usual form, since the SDK would otherwise report that the
    // answer was cut off.
    if (hasError(value) && typeof value.type !== 'string') return [asError(value.error)];
    const { delta, refusal } = value;
    // A refusal is shown as the answer. The SDK would report it as filtered.
    if (type === 'response.refusal.delta' && typeof delta === 'string')
      return [JSON.stringify({ ...value, type: 'response.output_text.delta' })];
    if (type === 'response.refusal.done' && typeof refusal === 'string') return [];
    return [value.type === type || isOtherApi ? text : JSON.stringify({ ...value, type })];
  }
}

/** An error in the format of this API. */
function asError(error: Json | undefined): string {
  const about: JsonObject = isObject(error) ? error : { message: error ?? null };
  const { message, code, type, ...rest } = about;
  const own = { type: typeof type === 'string' ? type : 'error', code: code ?? null };
  const said = typeof message === 'string' ? message : JSON.stringify(rest);
  return JSON.stringify({ type: 'error', sequence_number: 0, error: { ...own, message: said } });
}
