/** Text about recordings: names, and results to compare with. */

import { findRecordedCalls } from '../../../../agent/session/recording/playback-position.ts';
import type { RecordedCall, Recording } from '../../../../runtime/spec/recording.ts';
import type { ToolResult } from '../../../../runtime/spec/result.ts';
import type { OpenSession } from '../open-session.svelte.ts';
import type { LiveSessionsControl } from '../../../../agent/create-agent.ts';

export function recordingName({ title, scripted }: Pick<Recording, 'title' | 'scripted'>): string {
  return (scripted ? title.replace(/^Scripted example:\s*/i, '') : title).slice(0, 80);
}

export type RecordedResult = NonNullable<RecordedCall['result']>;

/** Undefined if the session plays nothing, or the call was not run when it was recorded. */
export function findRecordedResult(
  liveSessions: Pick<LiveSessionsControl, 'recordingOf'> | null,
  { state, control }: Pick<OpenSession, 'state' | 'control'>,
  callId: string,
): RecordedResult | undefined {
  const recording = state.replays === null ? null : (liveSessions?.recordingOf(control) ?? null);
  return recording === null ? undefined : findRecordedCalls(recording, state).get(callId)?.result;
}

/** False if there is no result yet, or none was recorded. */
export function differsFrom(
  recorded: RecordedResult | undefined,
  result: Pick<ToolResult, 'textResultForLlm' | 'resultType'> | null,
): boolean {
  if (recorded === undefined || result === null) return false;
  return recorded.text !== result.textResultForLlm || recorded.resultType !== result.resultType;
}
