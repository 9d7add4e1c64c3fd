/** Adapter for Anthropic's Messages API. */

import { createAnthropic, type AnthropicLanguageModelOptions } from '@ai-sdk/anthropic';
import type { ProviderAccess } from '../../../runtime/protocol/models.ts';
import type { AssistantPart, ModelRequest } from '../../../runtime/spec/model.ts';
import type { Adapter } from './adapter.ts';
import { AnthropicFrames, streamOfMessage } from './anthropic-frames.ts';
import { toolRules } from './tool-rules.ts';

/** Reasoning tokens per answer, for models that require a budget. */
const budgetTokens = 4_000;

export const adapter: Adapter = {
  prompt: {
    imagesInAnswers: true,
    // Thinking must be sent back unchanged, or not at all.
    reasoning: 'whole',
    // Marks the part of the request that the next request can read from Anthropic's cache.
    cached: { anthropic: { cacheControl: { type: 'ephemeral' } } },
  },
  ...toolRules.anthropic,
  open: ({ baseUrl, key, headers }, model, fetch) =>
    createAnthropic({
      baseURL: baseUrl,
      apiKey: key,
      headers: {
        // Requests come from the user's browser, with the user's own key.
        'anthropic-dangerous-direct-browser-access': 'true',
        ...Object.fromEntries(headers),
      },
      fetch,
    })(model),
  // Gateways refuse parameters that they do not know.
  adjustmentsAt: (access) =>
    isAnthropicHost(access) ? [] : ['no-tool-streaming', 'examples-as-text'],
  prepare({ model, request, adjusted }) {
    const thinking = adjusted.has('no-thinking') ? undefined : thinkingOf(model, request);
    const frames = new AnthropicFrames();
    return {
      chargesCacheWrites: true,
      frames,
      asStream: streamOfMessage,
      readParts: (parts) => frames.parts(parts),
      providerOptions: {
        anthropic: {
          ...(thinking === undefined ? {} : { thinking }),
          ...(adjusted.has('no-tool-streaming') ? { toolStreaming: false } : {}),
        },
      },
    };
  },
  adjustmentFor: (message) => {
    if (message.includes('eager_input_streaming')) return 'no-tool-streaming';
    if (/input_examples|advanced-tool-use/.test(message)) return 'examples-as-text';
    // Services other than Anthropic may not support thinking, or not in this form.
    return /thinking|adaptive|budget/i.test(message) ? 'no-thinking' : undefined;
  },
};

function isAnthropicHost({ baseUrl }: ProviderAccess): boolean {
  return URL.parse(baseUrl)?.hostname === 'api.anthropic.com';
}

/**
 * Returns the thinking option. Models up to 4.5 need a budget. Models from 4.6 on decide themselves, and send summaries
 * on request. See Anthropic's documentation of extended and adaptive thinking.
 */
function thinkingOf(
  model: string,
  { messages }: ModelRequest,
): AnthropicLanguageModelOptions['thinking'] {
  if (/claude-(3-7-sonnet|(opus|sonnet|haiku)-4(-[015])?(-\d{8})?$)/.test(model)) {
    // A turn that began without reasoning, for example with another model, must continue without it. So must one whose
    // reasoning cannot be sent back.
    const last = messages.findLast(({ role }) => role !== 'tool');
    const beganWithout = last?.role === 'assistant' && !hasOwnReasoning(last.parts);
    return beganWithout ? undefined : { type: 'enabled', budgetTokens };
  }
  return /claude-((opus|sonnet|haiku)-(4-([6-9]|\d\d)(?!\d)|[5-9](?!\d))|fable|mythos)/.test(model)
    ? { type: 'adaptive', display: 'summarized' }
    : undefined;
}

/** Returns whether an answer begins with reasoning, and all of its reasoning can be sent back. */
function hasOwnReasoning(parts: readonly AssistantPart[]): boolean {
  const reasoning = parts.filter(({ type }) => type === 'reasoning');
  return parts[0]?.type === 'reasoning' && reasoning.every(({ opaque }) => opaque !== undefined);
}
