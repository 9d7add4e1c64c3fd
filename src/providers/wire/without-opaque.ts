/**
 * What only a provider can read, left away where it cannot any more: reasoning that was encrypted for another
 * organisation, or signed for another key, makes it refuse the whole conversation.
 */

import type { ModelFault } from '../../spec/model-error.ts';
import type { ModelRequest } from '../../spec/model.ts';

/** Said by: OpenAI, Google, Anthropic. */
const unreadable = [
  /encrypted[_ ]content/i,
  /\bitem\b.{0,120}\brs_/i,
  /thought[_ ]signature/i,
  /invalid .?signature.? in .?thinking/i,
  /thinking.{0,120}cannot be modified/i,
];

/** Whether it was refused for that. @param told all that the provider said */
export function isUnreadable(fault: ModelFault, reported: string): boolean {
  return (
    (fault === 'request' || fault === 'model') &&
    unreadable.some((pattern) => pattern.test(reported))
  );
}

/** The same without it; undefined where there is none. */
export function withoutOpaque(request: ModelRequest): ModelRequest | undefined {
  let left = 0;
  const messages = request.messages.map((message) => {
    if (message.role !== 'assistant') return message;
    const parts = message.parts.map((part) => {
      const { opaque, ...rest } = part;
      left += opaque === undefined ? 0 : 1;
      return rest;
    });
    return { ...message, parts };
  });
  return left === 0 ? undefined : { ...request, messages };
}
