/** What a call gave when it was recorded, beside what it gave now. */

import { recordedCalls } from '../../../session/recording.ts';
import type { RecordedCall } from '../../../spec/recording.ts';
import type { ToolResult } from '../../../spec/result.ts';
import type { SessionsControl } from '../sessions-control.ts';
import type { OpenSession } from '../open-session.svelte.ts';

export type RecordedResult = NonNullable<RecordedCall['result']>;

/** Undefined where the session plays nothing, or the call was not run when it was recorded. */
export function recordedResult(
  control: Pick<SessionsControl, 'recordingOf'> | null,
  { state, conversation }: Pick<OpenSession, 'state' | 'conversation'>,
  callId: string,
): RecordedResult | undefined {
  const recording = state.replays === null ? null : (control?.recordingOf(conversation) ?? null);
  return recording === null ? undefined : recordedCalls(recording, state).get(callId)?.result;
}

/** False while there is no result yet, or nothing was recorded. */
export function differsFrom(
  recorded: RecordedResult | undefined,
  result: Pick<ToolResult, 'textResultForLlm' | 'resultType'> | null,
): boolean {
  if (recorded === undefined || result === null) return false;
  return recorded.text !== result.textResultForLlm || recorded.resultType !== result.resultType;
}
