/** Chooses the next variant of a request that a provider refused. */

import { ModelError, type ModelFault } from '../../../runtime/spec/model-error.ts';
import type { ModelRequest, ToolDefinition } from '../../../runtime/spec/model.ts';
import type { Adapter } from './adapter.ts';
import { Refusal } from './refusal.ts';
import type { RequestAdjustment } from './request-adjustment.ts';

export interface RequestVariant {
  readonly adjusted: ReadonlySet<RequestAdjustment>;
  /** Wire names of tools that are left out, since the provider refuses them. */
  readonly without: ReadonlySet<string>;
  /** Whether opaque data that the provider can no longer read is left out. */
  readonly leavesOutOpaque: boolean;
}

export const usualVariant: RequestVariant = {
  adjusted: new Set(),
  without: new Set(),
  leavesOutOpaque: false,
};

/** Limit for the number of tools that are left out. */
const maxLeftOut = 8;

/** The variant to try next; null where there is none. */
export function nextVariant(
  variant: RequestVariant,
  thrown: unknown,
  adapter: Pick<Adapter, 'adjustmentFor'>,
  request: ModelRequest,
): RequestVariant | null {
  if (!(thrown instanceof ModelError)) return null;
  const reported = Refusal.quotedBy(thrown);
  if (
    !variant.leavesOutOpaque &&
    isUnreadable(thrown.fault, reported) &&
    withoutOpaque(request) !== undefined
  )
    return { ...variant, leavesOutOpaque: true };
  if (thrown.fault !== 'request') return null;
  const adjustment = adjustmentOfAll(reported, request) ?? adapter.adjustmentFor?.(reported);
  if (adjustment !== undefined && !variant.adjusted.has(adjustment))
    return { ...variant, adjusted: new Set([...variant.adjusted, adjustment]) };
  const tool = toolInMessage(reported, requestBy(variant, request).tools);
  if (tool === undefined || variant.without.size >= maxLeftOut) return null;
  return { ...variant, without: new Set([...variant.without, tool.name]) };
}

/** The adjustment that any provider may need. */
function adjustmentOfAll(message: string, { seed }: ModelRequest): RequestAdjustment | undefined {
  // Some services accept 1,024 characters of description, as OpenAI did until 2025.
  if (/description\b.{0,80}(too long|maximum length|at most|exceed)/i.test(message))
    return 'short-descriptions';
  return seed !== undefined && /\bseed\b/i.test(message) ? 'no-seed' : undefined;
}

/**
 * Returns the adjusted request. The system prompt names the tools that were left out, so that the model can mention
 * them.
 */
export function requestBy(
  { without, leavesOutOpaque }: RequestVariant,
  asked: ModelRequest,
): ModelRequest {
  const request = (leavesOutOpaque ? withoutOpaque(asked) : undefined) ?? asked;
  if (without.size === 0) return request;
  const names = [...without].join(', ');
  const reported = `The provider rejects the parameters of these tools, so they cannot be called: ${names}. If you need one of them, tell the user.`;
  return {
    ...request,
    system: [request.system, reported].filter(Boolean).join('\n\n'),
    tools: request.tools.filter(({ name }) => !without.has(name)),
  };
}

/** Error messages of Google, which puts all functions into one tool; of OpenAI and Anthropic; of gateways. */
const places = [
  /function_?declarations(?:\[|\.)(\d+)/i,
  /\btools(?:\[|\.)(\d+)/,
  /\bfunctions(?:\[|\.)(\d+)/,
];
const names = /\b(?:function|tool) ?(?:declaration)? ?['"`]([\w-]+)['"`]/gi;

function toolInMessage(
  message: string,
  tools: readonly ToolDefinition[],
): ToolDefinition | undefined {
  const mentioned = Array.from(message.matchAll(names), ([, name]) => name);
  const named = tools.find(({ name }) => mentioned.includes(name));
  if (named !== undefined) return named;
  const place = places.map((pattern) => pattern.exec(message)?.[1]).find((at) => at !== undefined);
  return place === undefined ? undefined : tools[Number(place)];
}

/** Error messages of OpenAI, Google and Anthropic. */
const unreadable = [
  /encrypted[_ ]content/i,
  /\bitem\b.{0,120}\brs_/i,
  /thought[_ ]signature/i,
  /invalid .?signature.? in .?thinking/i,
  /thinking.{0,120}cannot be modified/i,
];

/**
 * Returns whether the request was refused because of opaque data.
 * @param reported the provider's whole error message
 */
export function isUnreadable(fault: ModelFault, reported: string): boolean {
  return (
    (fault === 'request' || fault === 'model') &&
    unreadable.some((pattern) => pattern.test(reported))
  );
}

/**
 * Reasoning encrypted for another organisation, or signed for another key, makes a provider refuse the whole
 * conversation. Returns the request without opaque data, or undefined if it has none.
 */
function withoutOpaque(request: ModelRequest): ModelRequest | undefined {
  let removed = 0;
  const messages = request.messages.map((message) => {
    if (message.role !== 'assistant') return message;
    const parts = message.parts.map((part) => {
      const { opaque, ...rest } = part;
      removed += opaque === undefined ? 0 : 1;
      return rest;
    });
    return { ...message, parts };
  });
  return removed === 0 ? undefined : { ...request, messages };
}
