/**
 * Adapter for servers that implement OpenAI's Chat Completions API: Ollama, LM Studio, llama.cpp, vLLM, OpenRouter and
 * others.
 */

import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { asObject, isObject } from '../../../runtime/spec/guards.ts';
import { asList, asText } from '../../../runtime/spec/lenient.ts';
import type { Json, JsonObject } from '../../../runtime/spec/json.ts';
import { ofAnswer, type ModelPart, type ModelRequest } from '../../../runtime/spec/model.ts';
import type { Adapter } from './adapter.ts';
import { streamOfAnswer, ChatFrames } from './chat-frames.ts';
import type { Frame } from './frames.ts';
import { inContent } from './inline-thinking.ts';
import type { RequestAdjustment } from './request-adjustment.ts';
import { joinTexts } from './joined-texts.ts';
import { toolRules } from './tool-rules.ts';

/** The usual field for reasoning, unless the model sent it in another. */
const usualField = 'reasoning_content';

/** The fields in which such servers send and accept reasoning, and how one that is not empty looks. */
const fields = [
  [usualField, /"reasoning_content"\s*:\s*"(?!")/],
  ['reasoning', /"reasoning"\s*:\s*"(?!")/],
] as const;

export const adapter: Adapter = {
  // Most servers accept no images in answers, and no reasoning of earlier turns.
  prompt: { imagesInAnswers: false, reasoning: 'turn' },
  ...toolRules['openai-compatible'],
  mayLeaveCalls: true,
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
    const frames = new CompatibleFrames(request);
    const wishes = wishesOf(request, adjusted);
    return {
      frames,
      joinLines: joinTexts,
      asStream: streamOfAnswer,
      readParts: (parts) => frames.parts(parts),
      reasoningData: () => ({ cloche: { field: frames.reasoningField } }),
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

/** Reads chat frames, and collects data of several providers beyond texts and calls. */
class CompatibleFrames extends ChatFrames {
  readonly #details = new ReasoningDetails();
  #field: string | undefined;

  /** The field in which the model sends its reasoning. */
  get reasoningField(): string {
    return this.#field ?? usualField;
  }

  override read(frame: Frame): readonly string[] | null {
    this.#field ??= fields.find(([, pattern]) => pattern.test(frame.text))?.[0];
    this.#details.read(frame);
    return super.read(frame);
  }

  override parts(parts: AsyncIterable<ModelPart>): AsyncIterable<ModelPart> {
    return this.#details.appendTo(super.parts(parts));
  }
}

/** Recognises messages of OpenAI, DeepSeek, Groq, Mistral and vLLM, which other servers may pass on. */
function adjustmentFor(message: string): RequestAdjustment | undefined {
  if (/(one|any|all)Of\b.* top level/i.test(message)) return 'plain-schemas';
  if (/role 'user' after role 'tool'|roles must alternate/i.test(message))
    return 'assistant-between';
  if (!/reasoning_(content|details)/.test(message)) return undefined;
  const isExtra = /unsupported|not (permitted|supported|allowed)|unexpected|unknown|extra/i;
  return isExtra.test(message) ? 'no-reasoning' : 'all-reasoning';
}

/** Returns whether the body needs no changes: parsing and writing it again takes as long as everything else before a request. */
function isUsual({ field, reasoning, assistantBetween }: Wishes): boolean {
  return field === usualField && reasoning === 'some' && !assistantBetween;
}

/** Returns whether a call has data such as a signature. */
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

interface Wishes {
  /** The field in which the model sent its reasoning, or {@link inContent}. */
  readonly field: string;
  /** `all`: send the field with every answer, even if empty. */
  readonly reasoning: 'some' | 'all' | 'none';
  /** Insert an assistant message between a tool's answer and the user's next message. */
  readonly assistantBetween: boolean;
}

function withWishes(body: JsonObject, wishes: Wishes): JsonObject {
  const messages = (Array.isArray(body.messages) ? body.messages : []).map((message) =>
    isObject(message) ? withReasoning(withSignatures(message), wishes) : message,
  );
  return { ...body, messages: wishes.assistantBetween ? assistantBetween(messages) : messages };
}

function withReasoning(message: JsonObject, { field, reasoning }: Wishes): JsonObject {
  const { reasoning_content: text, ...rest } = message;
  if (message.role !== 'assistant') return message;
  if (reasoning === 'none') {
    const { reasoning_details: _, ...bare } = rest;
    return bare;
  }
  if (reasoning === 'all') return { ...rest, [usualField]: text ?? '' };
  if (text === undefined || field === usualField) return message;
  return { ...rest, [field]: field === inContent ? withThinking(rest.content, text) : text };
}

/** Writes reasoning into the text, as the model did. */
function withThinking(content: Json | undefined, thinking: Json): Json {
  if (typeof thinking !== 'string') return content ?? '';
  return `<think>\n${thinking.trim()}\n</think>\n\n${asText(content)}`;
}

/** Moves Google's thought signatures to where the server expects them; the SDK writes them elsewhere. */
function withSignatures(message: JsonObject): JsonObject {
  const calls = message.tool_calls;
  if (!Array.isArray(calls)) return message;
  return {
    ...message,
    tool_calls: calls.map((call) => {
      if (!isObject(call) || call.thoughtSignature === undefined) return call;
      const { thoughtSignature, ...rest } = call;
      return { ...rest, extra_content: { google: { thought_signature: thoughtSignature } } };
    }),
  };
}

function assistantBetween(messages: readonly Json[]): Json[] {
  return messages.flatMap((message, index) => {
    const isBehind = roleOf(message) === 'user' && roleOf(messages[index - 1]) === 'tool';
    return isBehind ? [{ role: 'assistant', content: 'OK.' }, message] : [message];
  });
}

function roleOf(message: Json | undefined): Json | undefined {
  return isObject(message) ? message.role : undefined;
}

/**
 * Collects the reasoning data that OpenRouter sends in addition to the text: signatures and
 * encrypted parts. Models that reason between calls need it back, in order, with the answer that it
 * belongs to.
 */
class ReasoningDetails {
  readonly #details: JsonObject[] = [];

  /** Collects details from a frame of the stream. */
  read({ text, value }: Frame): void {
    if (!text.includes('"reasoning_details"')) return;
    for (const detail of detailsIn(value)) this.#add(detail);
  }

  /** Yields the parts of the answer, followed by the collected data. */
  async *appendTo(parts: AsyncIterable<ModelPart>): AsyncGenerator<ModelPart> {
    for await (const part of parts) {
      // Unsigned details contain no more than the text does.
      if (part.type === 'ended' && this.#details.some(isOpaque))
        yield {
          type: 'part-ended',
          id: 'reasoning details',
          data: { [ofAnswer]: { openaiCompatible: { reasoning_details: this.#details } } },
        };
      yield part;
    }
  }

  /** A text is sent in pieces, and its signature with the last piece. */
  #add(detail: JsonObject): void {
    const last = this.#details.at(-1);
    if (last === undefined || !isPieceOf(last, detail)) {
      this.#details.push(detail);
      return;
    }
    const { text, summary, ...rest } = detail;
    const reported = Object.entries(rest).filter(([, value]) => value !== null);
    Object.assign(last, Object.fromEntries(reported));
    if (typeof text === 'string') last.text = `${asText(last.text)}${text}`;
    if (typeof summary === 'string') last.summary = `${asText(last.summary)}${summary}`;
  }
}

function isPieceOf(last: JsonObject, { type, index }: JsonObject): boolean {
  return (
    last.type === type &&
    last.index === index &&
    (type === 'reasoning.text' || type === 'reasoning.summary')
  );
}

function isOpaque({ data, signature }: JsonObject): boolean {
  return asText(data) !== '' || asText(signature) !== '';
}

function detailsIn({ choices }: JsonObject): JsonObject[] {
  const { reasoning_details: details } = asObject(asObject(asList(choices)[0]).delta);
  return asList(details).map(asObject);
}
