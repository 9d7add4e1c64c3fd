/** Converts messages to the variants of chat completions that OpenAI-compatible servers expect. */

import { isObject } from '../../spec/guards.ts';
import type { Json, JsonObject } from '../../spec/json.ts';
import { inContent } from './inline-thinking.ts';

/** The usual field for reasoning, unless the model sent it in another. */
export const usualField = 'reasoning_content';

export interface Wishes {
  /** The field in which the model sent its reasoning, or {@link inContent}. */
  readonly field: string;
  /** `all`: send the field with every answer, even if empty. */
  readonly reasoning: 'some' | 'all' | 'none';
  /** Insert an assistant message between a tool's answer and the user's next message. */
  readonly assistantBetween: boolean;
}

export function withWishes(body: JsonObject, wishes: Wishes): JsonObject {
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
  return `<think>\n${thinking.trim()}\n</think>\n\n${typeof content === 'string' ? content : ''}`;
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
