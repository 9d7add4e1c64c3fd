/** Tokens and costs of a model's answers. */

import {
  charsPerToken,
  type AssistantPart,
  type ModelInfo,
  type ModelRequest,
  type Usage,
} from '../../runtime/spec/model.ts';

const million = 1_000_000;
/**
 * The price of writing a token to a five-minute cache, relative to the usual price. Source: Anthropic’s page on prompt
 * caching.
 */
const cacheWriteFactor = 1.25;

export const noUsage: Usage = { input: null, cached: null, output: null, reasoning: null };

/** Estimates the usage of an answer that was cut before the provider reported it. Images are not counted. */
export function estimateUsage(request: ModelRequest, answer: readonly AssistantPart[]): Usage {
  const sent = request.messages.flatMap((message): readonly string[] => {
    if (message.role === 'assistant') return message.parts.map(writtenText);
    const parts =
      message.role === 'user' ? message.parts : message.answers.flatMap((one) => one.parts);
    return parts.map((part) => (part.type === 'text' ? part.text : ''));
  });
  const tools = request.tools.map((tool) => JSON.stringify(tool));
  const tokens = (texts: readonly string[]): number =>
    Math.ceil(texts.reduce((sum, text) => sum + text.length, 0) / charsPerToken);
  return {
    input: tokens([request.system, ...sent, ...tools]),
    cached: null,
    output: tokens(answer.map(writtenText)),
    reasoning: null,
  };
}

function writtenText(part: AssistantPart): string {
  return part.type === 'call' ? part.wire + part.arguments : part.text;
}

/** Returns the sum of two usages. If one of two counts is unknown, the sum is the other. */
export function usageSum(a: Usage, b: Usage): Usage {
  const cacheWrites = addAmounts(a.cacheWrites ?? null, b.cacheWrites ?? null);
  return {
    input: addAmounts(a.input, b.input),
    cached: addAmounts(a.cached, b.cached),
    output: addAmounts(a.output, b.output),
    reasoning: addAmounts(a.reasoning, b.reasoning),
    ...(cacheWrites === null ? {} : { cacheWrites }),
  };
}

/** Returns the sum of two amounts, each of which may be unknown. */
export function addAmounts(before: number | null, more: number | null): number | null {
  return more === null ? before : (before ?? 0) + more;
}

/** Returns the cost of an answer in US dollars; null if the price or the usage is unknown. */
export function costOf(info: Pick<ModelInfo, 'price'> | undefined, usage: Usage): number | null {
  const base = info?.price ?? null;
  if (base === null || (usage.input === null && usage.output === null)) return null;
  const price = base.long !== undefined && (usage.input ?? 0) > base.long.over ? base.long : base;
  const cached = usage.cached ?? 0;
  const writes = usage.cacheWrites ?? 0;
  const fresh = Math.max(0, (usage.input ?? 0) - cached - writes);
  const input = (fresh + writes * cacheWriteFactor) * price.input;
  return (input + cached * price.cached + (usage.output ?? 0) * price.output) / million;
}
