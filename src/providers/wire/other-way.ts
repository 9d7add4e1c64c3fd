/** What is asked once more after a refusal that says what it is for: one thing less, or otherwise, each time. */

import { ModelError } from '../../spec/model-error.ts';
import type { ModelRequest, ToolDefinition } from '../../spec/model.ts';
import type { Adapter } from './adapter.ts';
import type { Concession } from './concession.ts';
import { Refusal } from './refusal.ts';
import { isUnreadable, withoutOpaque } from './without-opaque.ts';

export interface Way {
  readonly conceded: ReadonlySet<Concession>;
  /** Wire names of tools that the provider does not take. */
  readonly without: ReadonlySet<string>;
  /** Without what its provider alone can read, and cannot any more. */
  readonly isOpen: boolean;
}

export const usualWay: Way = { conceded: new Set(), without: new Set(), isOpen: false };

/** Tools that one request is asked without. */
const mostWithout = 8;

/** Null where there is none: then the refusal stands. */
export function otherWay(
  way: Way,
  thrown: unknown,
  adapter: Pick<Adapter, 'concedes'>,
  request: ModelRequest,
): Way | null {
  if (!(thrown instanceof ModelError)) return null;
  const told = Refusal.toldBy(thrown);
  if (!way.isOpen && isUnreadable(thrown.fault, told) && withoutOpaque(request) !== undefined)
    return { ...way, isOpen: true };
  if (thrown.fault !== 'request') return null;
  const concession = adapter.concedes?.(told);
  if (concession !== undefined && !way.conceded.has(concession))
    return { ...way, conceded: new Set([...way.conceded, concession]) };
  const tool = refusedTool(told, requestBy(way, request).tools);
  if (tool === undefined || way.without.size >= mostWithout) return null;
  return { ...way, without: new Set([...way.without, tool.name]) };
}

/** The model is told what it cannot call, so that it can say so where that matters. */
export function requestBy({ without, isOpen }: Way, asked: ModelRequest): ModelRequest {
  const request = (isOpen ? withoutOpaque(asked) : undefined) ?? asked;
  if (without.size === 0) return request;
  const names = [...without].join(', ');
  const told = `The provider rejects the parameters of these tools, so they cannot be called: ${names}. If you need one of them, tell the user.`;
  return {
    ...request,
    system: [request.system, told].filter(Boolean).join('\n\n'),
    tools: request.tools.filter(({ name }) => !without.has(name)),
  };
}

/** Said by: Google, which puts all functions into one tool; OpenAI and Anthropic; servers in front of them. */
const places = [
  /function_?declarations(?:\[|\.)(\d+)/i,
  /\btools(?:\[|\.)(\d+)/,
  /\bfunctions(?:\[|\.)(\d+)/,
];
const names = /\b(?:function|tool) ?(?:declaration)? ?['"`]([\w-]+)['"`]/gi;

function refusedTool(
  message: string,
  tools: readonly ToolDefinition[],
): ToolDefinition | undefined {
  const said = Array.from(message.matchAll(names), ([, name]) => name);
  const named = tools.find(({ name }) => said.includes(name));
  if (named !== undefined) return named;
  const place = places.map((pattern) => pattern.exec(message)?.[1]).find((at) => at !== undefined);
  return place === undefined ? undefined : tools[Number(place)];
}
