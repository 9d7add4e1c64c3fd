/**
 * Adapter for servers that implement OpenAI's Chat Completions API: Ollama, LM Studio, llama.cpp, vLLM, OpenRouter and
 * others.
 */

import { isObject } from '../../spec/guards.ts';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { ModelRequest } from '../../spec/model.ts';
import type { Adapter } from './adapter.ts';
import { asStream, chatLines } from './chat-lines.ts';
import { usualField, withWishes, type Wishes } from './compatible-messages.ts';
import type { RequestAdjustment } from './request-adjustment.ts';
import { thinkingApart } from './inline-thinking.ts';
import { joinedTexts } from './joined-texts.ts';
import { ReasoningDetails } from './reasoning-details.ts';
import { toolRules } from './tool-rules.ts';

/** The fields in which such servers send and accept reasoning. */
const fields = [
  [usualField, /"reasoning_content"\s*:\s*"/],
  ['reasoning', /"reasoning"\s*:\s*"/],
] as const;

export const adapter: Adapter = {
  // Most of them accept no images in answers, and no reasoning of earlier turns.
  prompt: { imagesInAnswers: false, reasoning: 'turn' },
  ...toolRules['openai-compatible'],
  open: ({ baseUrl, key, headers }, model, fetch) =>
    createOpenAICompatible({
      name: 'openaiCompatible',
      baseURL: baseUrl,
      apiKey: key,
      headers: Object.fromEntries(headers),
      includeUsage: true,
      fetch,
    }).chatModel(model),
  prepare: ({ request, adjusted }) => {
    let reasoningField: string | undefined;
    const read = chatLines();
    const details = new ReasoningDetails();
    const wishes = wishesOf(request, adjusted);
    return {
      readLine: (line) => {
        reasoningField ??= fields.find(([, pattern]) => pattern.test(line))?.[0];
        details.read(line);
        return read(line);
      },
      joinLines: joinedTexts,
      asStream,
      readParts: (parts) => details.appendTo(thinkingApart(parts)),
      reasoningData: () => ({ cloche: { field: reasoningField ?? usualField } }),
      ...(adjusted.has('all-reasoning')
        ? { prompt: { imagesInAnswers: false, reasoning: 'always' } }
        : {}),
      ...(isUsual(wishes) && !hasOpaqueCall(request)
        ? {}
        : { edit: (body) => withWishes(body, wishes) }),
    };
  },
  adjustmentFor,
};

/** Recognises messages of OpenAI, DeepSeek, Groq, Mistral and vLLM, which other servers may pass on. */
function adjustmentFor(message: string): RequestAdjustment | undefined {
  if (/(one|any|all)Of\b.* top level/i.test(message)) return 'plain-schemas';
  if (/role 'user' after role 'tool'|roles must alternate/i.test(message))
    return 'assistant-between';
  if (!/reasoning_(content|details)/.test(message)) return undefined;
  const isExtra = /unsupported|not (permitted|supported|allowed)|unexpected|unknown|extra/i;
  return isExtra.test(message) ? 'no-reasoning' : 'all-reasoning';
}

/** Whether the body needs no changes: parsing and writing it again takes as long as everything else before a request. */
function isUsual({ field, reasoning, assistantBetween }: Wishes): boolean {
  return field === usualField && reasoning === 'some' && !assistantBetween;
}

/** Whether a call has data such as a signature. */
function hasOpaqueCall({ messages }: ModelRequest): boolean {
  return messages.some(
    (message) =>
      message.role === 'assistant' &&
      message.parts.some(({ type, opaque }) => type === 'call' && opaque !== undefined),
  );
}

function wishesOf(request: ModelRequest, adjusted: ReadonlySet<RequestAdjustment>): Wishes {
  const some = adjusted.has('all-reasoning') ? 'all' : 'some';
  return {
    field: fieldOf(request) ?? usualField,
    reasoning: adjusted.has('no-reasoning') ? 'none' : some,
    assistantBetween: adjusted.has('assistant-between'),
  };
}

/** Returns the field in which the model sent its reasoning, if any. */
function fieldOf({ messages }: ModelRequest): string | undefined {
  for (const message of messages.toReversed())
    for (const part of message.role === 'assistant' ? message.parts : []) {
      const kept = part.type === 'reasoning' ? part.opaque?.data.cloche : undefined;
      const field = isObject(kept) ? kept.field : undefined;
      if (typeof field === 'string') return field;
    }
  return undefined;
}
