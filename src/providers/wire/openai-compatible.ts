/** Any endpoint that speaks OpenAI's chat completions: Ollama, LM Studio, llama.cpp, vLLM, OpenRouter and others. */

import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { Json, JsonObject } from '../../spec/json.ts';
import type { ModelRequest } from '../../spec/model.ts';
import type { Adapter } from './adapter.ts';
import { chatLines } from './chat-lines.ts';
import { inContent, thinkingApart } from './inline-thinking.ts';

/** The fields in which such servers send reasoning, and want it back. */
const fields = ['reasoning_content', 'reasoning'] as const;

export const adapter: Adapter = {
  // Most take no images in answers, and no reasoning of earlier turns.
  prompt: { imagesInAnswers: false, reasoning: 'turn' },
  open: ({ baseUrl, key, headers }, model, fetch) =>
    createOpenAICompatible({
      name: 'openaiCompatible',
      baseURL: baseUrl,
      apiKey: key,
      headers: Object.fromEntries(headers),
      includeUsage: true,
      fetch,
    }).chatModel(model),
  prepare: (_model, request) => {
    let seen: string | undefined;
    const read = chatLines();
    const sent = fieldOf(request);
    return {
      readLine: (line) => {
        seen ??= fields.find((field) => line.includes(`"${field}":"`));
        return read(line);
      },
      readParts: thinkingApart,
      reasoningData: () => ({ cloche: { field: seen ?? fields[0] } }),
      ...(sent === undefined || sent === fields[0] ? {} : { edit: (body) => renamed(body, sent) }),
    };
  },
};

/** The field in which the model has sent reasoning. */
function fieldOf({ messages }: ModelRequest): string | undefined {
  for (const message of messages.toReversed())
    for (const part of message.role === 'assistant' ? message.parts : []) {
      const kept = part.type === 'reasoning' ? part.opaque?.data.cloche : undefined;
      const field = isObject(kept) ? kept.field : undefined;
      if (typeof field === 'string') return field;
    }
  return undefined;
}

function renamed(body: JsonObject, field: string): JsonObject {
  const messages = Array.isArray(body.messages) ? body.messages : [];
  return {
    ...body,
    messages: messages.map((message): Json => {
      if (!isObject(message) || message.reasoning_content === undefined) return message;
      const { reasoning_content, ...rest } = message;
      const back =
        field === inContent ? withThinking(rest.content, reasoning_content) : reasoning_content;
      return Object.assign<JsonObject, JsonObject>(rest, { [field]: back });
    }),
  };
}

/** As the model had written it. */
function withThinking(content: Json | undefined, thinking: Json): Json {
  if (typeof thinking !== 'string') return content ?? '';
  return `<think>\n${thinking.trim()}\n</think>\n\n${typeof content === 'string' ? content : ''}`;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
