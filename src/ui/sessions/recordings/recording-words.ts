/** Text about recordings: names, summaries before they are played, and results to compare with. */

import { recordedCalls } from '../../../session/recording/recording.ts';
import type { RecordedCall, RecordedTurn, Recording } from '../../../spec/recording.ts';
import type { ToolResult } from '../../../spec/result.ts';
import type { OpenSession } from '../open-session.svelte.ts';
import type { ConversationControl } from '../../../app/app.ts';

export interface RecordingSummary {
  /** Starts of the first messages. */
  readonly messages: readonly string[];
  /** Number of further messages. */
  readonly more: number;
  /** All tools that it calls, in the order of their first calls. */
  readonly tools: readonly CalledTool[];
}

export interface CalledTool {
  readonly name: string;
  readonly calls: number;
  /** Arguments that the tool is called with, without repetitions, in the order of the calls. */
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
        const counts = called.get(part.tool) ?? new Map<string, number>();
        called.set(part.tool, counts.set(part.arguments, (counts.get(part.arguments) ?? 0) + 1));
      }
  return {
    messages: turns.slice(0, mostMessages).map(beginning),
    more: Math.max(0, turns.length - mostMessages),
    tools: [...called].map(([name, counts]) => ({
      name,
      calls: [...counts.values()].reduce((sum, times) => sum + times, 0),
      arguments: [...counts].map(([text, times]) => ({ text, times })),
    })),
  };
}

function beginning({ message }: RecordedTurn): string {
  const text = message.map((part) => (part.type === 'text' ? part.text : '(image)')).join(' ');
  return text.length > longestMessage ? `${text.slice(0, longestMessage - 1)}…` : text;
}

export function recordingName({ title, scripted }: Pick<Recording, 'title' | 'scripted'>): string {
  return (scripted ? title.replace(/^Scripted example:\s*/i, '') : title).slice(0, 80);
}

export type RecordedResult = NonNullable<RecordedCall['result']>;

/** Undefined if the session plays nothing, or the call was not run when it was recorded. */
export function recordedResult(
  conversations: Pick<ConversationControl, 'recordingOf'> | null,
  { state, conversation }: Pick<OpenSession, 'state' | 'conversation'>,
  callId: string,
): RecordedResult | undefined {
  const recording =
    state.replays === null ? null : (conversations?.recordingOf(conversation) ?? null);
  return recording === null ? undefined : recordedCalls(recording, state).get(callId)?.result;
}

/** False if there is no result yet, or none was recorded. */
export function differsFrom(
  recorded: RecordedResult | undefined,
  result: Pick<ToolResult, 'textResultForLlm' | 'resultType'> | null,
): boolean {
  if (recorded === undefined || result === null) return false;
  return recorded.text !== result.textResultForLlm || recorded.resultType !== result.resultType;
}
