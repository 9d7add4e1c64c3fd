/** A recording made from a session: what was said to the model, what it answered, and what its calls gave. */

import type { AskedCall, AssistantPart } from '../spec/model.ts';
import type { RecordedPart, RecordedStep, RecordedTurn, Recording } from '../spec/recording.ts';
import { calledName } from './called-name.ts';
import { callsTools, saysNothing } from './recording.ts';
import type { SessionState, StepEntry } from './session-state.ts';

/** What a model is sent where it spoke last and is to go on. */
export const goOn: RecordedTurn['message'][number] = { type: 'text', text: 'Go on.' };

/** A recording of a session as it is now. */
export function recordingOf(state: SessionState): Recording {
  const turns: { message: RecordedTurn['message']; steps: RecordedStep[] }[] = [];
  for (const entry of state.entries) {
    if (entry.kind === 'message') turns.push({ message: entry.parts, steps: [] });
    if (entry.kind !== 'step') continue;
    const step = recordedStep(entry, state);
    if (step === null) continue;
    const last = turns.at(-1)?.steps.at(-1);
    // It had nothing to call and answered all the same: the person had pressed “Go on”.
    if (last !== undefined && !callsTools(last)) turns.push({ message: [goOn], steps: [] });
    turns.at(-1)?.steps.push(step);
  }
  return {
    format: 'cloche-recording',
    version: 1,
    title: state.head.title === '' ? 'A session' : state.head.title,
    scripted: false,
    tools: (state.selection?.tools ?? []).map(({ name }) => name),
    turns,
  };
}

/** Null: what failed was tried again, and of some answers nothing can be read. */
function recordedStep({ parts, finish, fault }: StepEntry, state: SessionState) {
  if (fault !== null) return null;
  // Calls of an answer that was cut were never made. Played, they would do what nobody saw them do, and what the model
  // said next would not know of it.
  const kept = parts.filter((part) => part.type !== 'call' || isMade(part, finish, state));
  const step = {
    parts: kept.map((part) => recorded(part, state)).filter((part) => !saysNothing(part)),
  };
  return step.parts.length === 0 ? null : step;
}

function isMade({ id }: AskedCall, finish: StepEntry['finish'], { calls }: SessionState): boolean {
  if (finish === 'cut') return false;
  if (finish !== 'length' && finish !== 'filtered') return true;
  // Earlier versions of Cloche made them.
  return calls.get(id)?.result?.error !== 'cancelled';
}

function recorded(part: AssistantPart, { calls }: SessionState): RecordedPart {
  if (part.type !== 'call') return { type: part.type, text: part.text };
  const call = calls.get(part.id);
  const result = call?.result ?? null;
  return {
    type: 'call',
    tool: calledName(part),
    arguments: call?.arguments ?? part.arguments,
    ...(result === null
      ? {}
      : { result: { resultType: result.resultType, text: result.textResultForLlm } }),
  };
}
