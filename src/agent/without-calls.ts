/** A conversation whose calls are told of in words. */

import type { ModelMessage } from '../spec/model.ts';

/** Where a request offers no tools, providers take no calls either. */
export function withoutCalls(messages: readonly ModelMessage[]): ModelMessage[] {
  return messages.map((message): ModelMessage => {
    if (message.role === 'tool')
      return {
        role: 'user',
        parts: message.answers.flatMap(({ wire, parts }) =>
          parts.flatMap((part) =>
            part.type === 'text'
              ? [{ type: 'text' as const, text: `[Result of ${wire}]\n${part.text}` }]
              : [],
          ),
        ),
      };
    if (message.role === 'user') return message;
    const parts = message.parts.flatMap((part) => {
      if (part.type === 'reasoning') return [];
      if (part.type === 'text') return [{ type: 'text' as const, text: part.text }];
      return [{ type: 'text' as const, text: `[Call of ${part.wire}] ${part.arguments}` }];
    });
    return { role: 'assistant', parts: parts.length > 0 ? parts : [{ type: 'text', text: '…' }] };
  });
}
