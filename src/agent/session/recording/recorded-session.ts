/** Makes a recording from a session: its messages, the model's answers and the results of calls. */

import type { AskedCall, AssistantPart } from '../../../runtime/spec/model.ts';
import type {
  RecordedPart,
  RecordedStep,
  RecordedTurn,
  Recording,
} from '../../../runtime/spec/recording.ts';
import { calledToolName, type SessionState, type StepEntry } from '../session-state.ts';
import { isEmptyPart } from './playback-position.ts';

/** The message that asks a model to continue its answer. */
export const continueAnswerPart: RecordedTurn['message'][number] = { type: 'text', text: 'Go on.' };

export function recordingOf(state: SessionState): Recording {
  const turns: { message: RecordedTurn['message']; steps: RecordedStep[] }[] = [];
  for (const entry of state.entries) {
    if (entry.kind === 'message') turns.push({ message: entry.parts, steps: [] });
    if (entry.kind !== 'step') continue;
    const step = recordedStep(entry, state);
    if (step === null) continue;
    const last = turns.at(-1)?.steps.at(-1);
    // An answer after one without calls means that the user had pressed “Go on”.
    if (last !== undefined && !last.parts.some(({ type }) => type === 'call'))
      turns.push({ message: [continueAnswerPart], steps: [] });
    turns.at(-1)?.steps.push(step);
  }
  return {
    format: 'cloche-recording',
    version: 1,
    title: state.head.title === '' ? 'Session' : state.head.title,
    scripted: false,
    tools: (state.selection?.tools ?? []).map(({ name }) => name),
    turns,
  };
}

/** @returns null if the answer failed, or nothing of it can be recorded */
function recordedStep({ parts, finish, fault }: StepEntry, state: SessionState) {
  if (fault !== null) return null;
  // Calls of a truncated answer never ran, so playing must not run them either.
  const played = parts.filter((part) => part.type !== 'call' || isMade(part, finish, state));
  const step = {
    parts: played.map((part) => toRecordedPart(part, state)).filter((part) => !isEmptyPart(part)),
  };
  return step.parts.length === 0 ? null : step;
}

function isMade({ id }: AskedCall, finish: StepEntry['finish'], { calls }: SessionState): boolean {
  if (finish === 'cut') return false;
  if (finish !== 'length' && finish !== 'filtered') return true;
  // Earlier versions of Cloche ran such calls.
  return calls.get(id)?.result?.error !== 'cancelled';
}

function toRecordedPart(part: AssistantPart, { calls }: SessionState): RecordedPart {
  if (part.type !== 'call') return { type: part.type, text: part.text };
  const call = calls.get(part.id);
  const result = call?.result ?? null;
  return {
    type: 'call',
    tool: calledToolName(part),
    arguments: call?.arguments ?? part.arguments,
    ...(result === null
      ? {}
      : { result: { resultType: result.resultType, text: result.textResultForLlm } }),
  };
}
