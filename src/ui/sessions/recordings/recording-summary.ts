/** What a recording says and calls, as it is read before it is played: a file may have anything in it, and any number. */

import type { RecordedTurn, Recording } from '../../../spec/recording.ts';

export interface RecordingSummary {
  /** The beginnings of the first ones. */
  readonly messages: readonly string[];
  /** How many it sends besides. */
  readonly more: number;
  /** All that it calls, in the order in which they are called first. */
  readonly tools: readonly CalledTool[];
}

export interface CalledTool {
  readonly name: string;
  readonly calls: number;
  /** What it is called with, each once, in the order of the calls. */
  readonly arguments: readonly { readonly text: string; readonly times: number }[];
}

const mostMessages = 8;
const longestMessage = 200;

export function recordingSummary({ turns }: Recording): RecordingSummary {
  const called = new Map<string, Map<string, number>>();
  for (const { steps } of turns)
    for (const { parts } of steps)
      for (const part of parts) {
        if (part.type !== 'call') continue;
        const given = called.get(part.tool) ?? new Map<string, number>();
        called.set(part.tool, given.set(part.arguments, (given.get(part.arguments) ?? 0) + 1));
      }
  return {
    messages: turns.slice(0, mostMessages).map(beginning),
    more: Math.max(0, turns.length - mostMessages),
    tools: [...called].map(([name, given]) => ({
      name,
      calls: [...given.values()].reduce((sum, times) => sum + times, 0),
      arguments: [...given].map(([text, times]) => ({ text, times })),
    })),
  };
}

function beginning({ message }: RecordedTurn): string {
  const text = message.map((part) => (part.type === 'text' ? part.text : '(picture)')).join(' ');
  return text.length > longestMessage ? `${text.slice(0, longestMessage - 1)}…` : text;
}
