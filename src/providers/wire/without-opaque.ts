/**
 * Removes opaque data that a provider can no longer read: reasoning encrypted for another organisation or signed for
 * another key makes it refuse the whole conversation.
 */

import type { ModelFault } from '../../spec/model-error.ts';
import type { ModelRequest } from '../../spec/model.ts';

/** Error messages of OpenAI, Google and Anthropic. */
const unreadable = [
  /encrypted[_ ]content/i,
  /\bitem\b.{0,120}\brs_/i,
  /thought[_ ]signature/i,
  /invalid .?signature.? in .?thinking/i,
  /thinking.{0,120}cannot be modified/i,
];

/**
 * Whether the request was refused for that reason.
 *
 * @param reported the provider's whole error message
 */
export function isUnreadable(fault: ModelFault, reported: string): boolean {
  return (
    (fault === 'request' || fault === 'model') &&
    unreadable.some((pattern) => pattern.test(reported))
  );
}

/** Returns the request without opaque data, or undefined if it has none. */
export function withoutOpaque(request: ModelRequest): ModelRequest | undefined {
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
