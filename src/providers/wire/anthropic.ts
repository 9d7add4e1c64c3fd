/** Anthropic's messages. */

import { createAnthropic, type AnthropicLanguageModelOptions } from '@ai-sdk/anthropic';
import type { AssistantPart, ModelRequest } from '../../spec/model.ts';
import type { ProviderAccess } from '../../protocol/models.ts';
import type { Adapter } from './adapter.ts';
import { anthropicLines } from './anthropic-lines.ts';
import { forAnthropic } from './tool-schemas.ts';

/** Tokens of reasoning in one answer, where they have to be counted out. */
const budgetTokens = 4_000;

export const adapter: Adapter = {
  prompt: {
    imagesInAnswers: true,
    reasoning: 'always',
    // What is the same in the next request is read from the cache there.
    cached: { anthropic: { cacheControl: { type: 'ephemeral' } } },
  },
  tellTool: forAnthropic,
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
  prepare({ access, model, request, adjusted }) {
    const thinking = adjusted.has('no-thinking') ? undefined : thinkingOf(model, request);
    const streams = isTheirs(access) && !adjusted.has('no-tool-streaming');
    return {
      chargesCacheWrites: true,
      readLine: anthropicLines(),
      providerOptions: {
        anthropic: {
          ...(thinking === undefined ? {} : { thinking }),
          ...(streams ? {} : { toolStreaming: false }),
        },
      },
    };
  },
  adjustmentFor: (message) => {
    if (message.includes('eager_input_streaming')) return 'no-tool-streaming';
    // Those who serve these models elsewhere may not let them think, or not so.
    return /thinking|adaptive|budget/i.test(message) ? 'no-thinking' : undefined;
  },
  limitsProperties: true,
};

/** Gateways refuse what they do not know, and this they do not. */
function isTheirs({ baseUrl }: ProviderAccess): boolean {
  return URL.parse(baseUrl)?.hostname === 'api.anthropic.com';
}

/**
 * These models think when they are asked to. Up to 4.5 they are told how much, from 4.6 on they see themselves, and tell
 * of it where that is wanted; both are Anthropic's words on extended and on adaptive thinking.
 */
function thinkingOf(
  model: string,
  { messages }: ModelRequest,
): AnthropicLanguageModelOptions['thinking'] {
  if (/claude-(3-7-sonnet|(opus|sonnet|haiku)-4(-[015])?(-\d{8})?$)/.test(model)) {
    // A turn that began without reasoning, with another model perhaps, has to go on so.
    const last = messages.findLast(({ role }) => role !== 'tool');
    const isBegun = last?.role === 'assistant' && !isOwnReasoning(last.parts[0]);
    return isBegun ? undefined : { type: 'enabled', budgetTokens };
  }
  return /claude-((opus|sonnet|haiku)-(4-([6-9]|\d\d)(?!\d)|[5-9](?!\d))|fable|mythos)/.test(model)
    ? { type: 'adaptive', display: 'summarized' }
    : undefined;
}

function isOwnReasoning(part: AssistantPart | undefined): boolean {
  return part?.type === 'reasoning' && part.opaque !== undefined;
}
