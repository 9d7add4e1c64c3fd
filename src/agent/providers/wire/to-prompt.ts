/** Converts our messages to the prompt format of the SDKs. */

import { isObject } from '../../../runtime/spec/guards.ts';
import type {
  JSONObject,
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  LanguageModelV3ToolResultOutput,
  LanguageModelV3ToolResultPart,
} from '@ai-sdk/provider';
import type { JsonObject, JsonText } from '../../../runtime/spec/json.ts';
import {
  ofAnswer,
  type AssistantPart,
  type ModelMessage,
  type ModelRef,
  type ModelRequest,
  type Opaque,
  type ToolAnswer,
  type UserPart,
  attachedText,
} from '../../../runtime/spec/model.ts';
import { inContent } from './inline-thinking.ts';

export interface PromptTraits {
  /** Whether tool answers may contain images; otherwise images follow in a user message. */
  readonly imagesInAnswers: boolean;
  /** Provider options for the system prompt and the last message, which mark what to cache. */
  readonly cached?: Readonly<Record<string, JsonObject>>;
  /**
   * When reasoning is sent back. `turn`: only during its turn, for providers that want no older reasoning. Reasoning of
   * answers with calls is always sent, since some providers refuse the calls without it. `whole`: always, but if some of an
   * answer's reasoning cannot be sent, none of it is.
   */
  readonly reasoning: 'always' | 'turn' | 'whole';
}

type Mark = (tool: string, text: JsonText) => JsonObject;
type UserContent = Extract<LanguageModelV3Message, { role: 'user' }>['content'];
type AssistantContent = Extract<LanguageModelV3Message, { role: 'assistant' }>['content'];

/**
 * @param mark returns a placeholder for the arguments of a call: the library would parse them and write other numbers.
 *   ExactArguments puts their text into the request
 */
export function toPrompt(
  { system, messages }: Pick<ModelRequest, 'system' | 'messages'>,
  model: ModelRef,
  traits: PromptTraits,
  mark: Mark,
): LanguageModelV3Prompt {
  const lastUserIndex = messages.findLastIndex(({ role }) => role === 'user');
  const prompt = messages.flatMap((message, index) =>
    toMessages(message, model, traits, mark, traits.reasoning !== 'turn' || index > lastUserIndex),
  );
  if (system !== '') prompt.unshift({ role: 'system', content: system });
  const { cached } = traits;
  if (cached === undefined) return prompt;
  return prompt.map((message, index) =>
    message.role === 'system' || index === prompt.length - 1
      ? { ...message, providerOptions: cached }
      : message,
  );
}

function toMessages(
  message: ModelMessage,
  model: ModelRef,
  traits: PromptTraits,
  mark: Mark,
  reasoning: boolean,
): LanguageModelV3Message[] {
  switch (message.role) {
    case 'user':
      return [{ role: 'user', content: message.parts.map(toUserPart) }];
    case 'assistant': {
      const calls = message.parts.some(({ type }) => type === 'call');
      const isPartial =
        traits.reasoning === 'whole' &&
        message.parts.some((part) => part.type === 'reasoning' && !ownData(part.opaque, model));
      const content = message.parts.flatMap((part) =>
        toAssistant(part, model, mark, !isPartial && (reasoning || (calls && !isInText(part)))),
      );
      if (content.length === 0) return [];
      return [{ role: 'assistant', content, ...dataOfAll(message.parts, model) }];
    }
    case 'tool': {
      const results = message.answers.map((answer) => toResult(answer, traits));
      const images = message.answers.flatMap((answer) => imagesAfter(answer, traits));
      return [
        { role: 'tool', content: results },
        ...(images.length === 0 ? [] : [{ role: 'user', content: images } as const]),
      ];
    }
  }
}

function toUserPart(part: UserPart): UserContent[number] {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: attachedText(part) };
    case 'image':
      return { type: 'file', mediaType: part.mediaType, data: part.data };
    case 'file':
      return { type: 'file', mediaType: part.mediaType, data: part.data, filename: part.name };
  }
}

function toAssistant(
  part: AssistantPart,
  model: ModelRef,
  mark: Mark,
  reasoning: boolean,
): AssistantContent {
  const providerData = ownData(part.opaque, model);
  const options = providerData === undefined ? {} : { providerOptions: providerData };
  switch (part.type) {
    case 'text':
      // Providers refuse blank texts, and some models write one before a call.
      return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text, ...options }];
    case 'reasoning':
      return providerData === undefined || !reasoning
        ? []
        : [{ type: 'reasoning', text: part.text, ...options }];
    case 'call':
      return [
        {
          type: 'tool-call',
          toolCallId: part.askedId,
          toolName: part.wire,
          input: mark(part.wire, part.arguments),
          ...options,
        },
      ];
  }
}

/** Returns opaque data only for the model that made it; the provider of another model would refuse the request. */
function ownData(
  opaque: Opaque | undefined,
  model: ModelRef,
): Record<string, JSONObject> | undefined {
  if (opaque?.made.provider !== model.provider || opaque.made.model !== model.model)
    return undefined;
  const kept = Object.entries(opaque.data).filter((entry): entry is [string, JsonObject] =>
    isObject(entry[1]),
  );
  return Object.fromEntries(kept);
}

/** Models that write reasoning into their text ignore that of earlier turns. */
function isInText({ opaque }: AssistantPart): boolean {
  return isObject(opaque?.data.cloche) && opaque.data.cloche.field === inContent;
}

/** Returns data that belongs to the whole answer, from whichever part has it. */
function dataOfAll(
  parts: readonly AssistantPart[],
  model: ModelRef,
): Pick<LanguageModelV3Message, 'providerOptions'> {
  const found = parts.map((part) => ownData(part.opaque, model)?.[ofAnswer]).findLast(isObject);
  return found === undefined ? {} : { providerOptions: found as Record<string, JsonObject> };
}

function toResult(
  answer: ToolAnswer,
  { imagesInAnswers }: PromptTraits,
): LanguageModelV3ToolResultPart {
  const { askedId, wire, isError, parts } = answer;
  const head = { type: 'tool-result', toolCallId: askedId, toolName: wire } as const;
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  const images = parts.some(({ type }) => type === 'image');
  // An error result can only contain text.
  if (isError) return { ...head, output: { type: 'error-text', value: text } };
  if (!images) return { ...head, output: { type: 'text', value: text } };
  if (!imagesInAnswers)
    return { ...head, output: { type: 'text', value: text || 'See the image below.' } };
  const value = parts.flatMap((part): ContentValue[] => {
    if (part.type === 'text') return [{ type: 'text', text: part.text }];
    if (part.type === 'file') return [];
    return [{ type: 'image-data', mediaType: part.mediaType, data: part.data }];
  });
  return { ...head, output: { type: 'content', value } };
}

type ContentValue = Extract<LanguageModelV3ToolResultOutput, { type: 'content' }>['value'][number];

/**
 * Returns the parts that a tool answer cannot contain: documents, and images if the provider takes
 * none there.
 */
function imagesAfter(
  { wire, isError, parts }: ToolAnswer,
  { imagesInAnswers }: PromptTraits,
): UserContent {
  const inAnswer = imagesInAnswers && !isError;
  const after = parts.filter(({ type }) => type === 'file' || (type === 'image' && !inAnswer));
  if (after.length === 0) return [];
  return [{ type: 'text', text: `Returned by ${wire}:` }, ...after.map(toUserPart)];
}
