/** What a recording says and calls, as short as it is read before it is played. */

import type { Recording } from '../../spec/recording.ts';

export interface RecordingSummary {
  /** The beginning of each. */
  readonly messages: readonly string[];
  /** Those that are called first, in their order. */
  readonly tools: readonly string[];
  /** How many it calls besides. */
  readonly more: number;
}

const longestMessage = 200;
const mostTools = 8;

export function recordingSummary({ turns }: Recording): RecordingSummary {
  const called = new Set<string>();
  for (const { steps } of turns)
    for (const { parts } of steps)
      for (const part of parts) if (part.type === 'call') called.add(part.tool);
  const tools = [...called];
  return {
    messages: turns.map(({ message }) => {
      const text = message
        .map((part) => (part.type === 'text' ? part.text : '(picture)'))
        .join(' ');
      return text.length > longestMessage ? `${text.slice(0, longestMessage - 1)}…` : text;
    }),
    tools: tools.slice(0, mostTools),
    more: Math.max(0, tools.length - mostTools),
  };
}
