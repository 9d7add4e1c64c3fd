/** Recordings: made from a session, read from a file, and what of one comes next as it is played. */

import { deeperThan } from '../spec/depth.ts';
import { errorText, ToolError } from '../spec/error.ts';
import type { Json, JsonObject } from '../spec/json.ts';
import type { AssistantPart } from '../spec/model.ts';
import type {
  RecordedCall,
  RecordedPart,
  RecordedStep,
  RecordedTurn,
  Recording,
} from '../spec/recording.ts';
import { calledName } from './called-name.ts';
import type { SessionCall, SessionState } from './session-state.ts';

/** Characters of a recording's file. */
const longestFile = 64_000_000;
/** Deeper than any recording is. */
const deepest = 16;

/** What a compiled schema gives; see virtual:cloche/page-validators. */
type IsRecording = (value: unknown) => boolean;

/** Reads a file. @throws {ToolError} `bad-input` with what is wrong in it */
export function readRecording(text: string, isRecording: IsRecording): Recording {
  if (text.length > longestFile)
    throw fault(`it has ${text.length} characters, more than ${longestFile}`);
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch (thrown) {
    throw fault(`it is no JSON: ${errorText(thrown)}`);
  }
  if (deeperThan(value, deepest)) throw fault('it is nested too deeply');
  const { format, version } = isObject(value) ? value : {};
  if (format !== 'cloche-recording') throw fault('its "format" is not "cloche-recording"');
  if (version !== 1)
    throw new ToolError(
      'bad-input',
      `This recording has version ${JSON.stringify(version ?? null).slice(0, 100)}, and this Cloche knows version 1.`,
      'Reload the page to get a newer Cloche.',
    );
  if (!isRecording(value)) throw fault('it has not the form of one');
  return value as unknown as Recording;
}

/** A recording of a session as it is now. */
export function recordingOf(state: SessionState): Recording {
  const turns: { message: RecordedTurn['message']; steps: RecordedStep[] }[] = [];
  for (const entry of state.entries) {
    if (entry.kind === 'message') turns.push({ message: entry.parts, steps: [] });
    if (entry.kind !== 'step' || entry.fault !== null || entry.parts.length === 0) continue;
    turns.at(-1)?.steps.push({ parts: entry.parts.map((part) => recorded(part, state.calls)) });
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

/** The message that is sent next as a session plays a recording; null where there is no further one. */
export function nextMessage(
  recording: Recording,
  state: SessionState,
): RecordedTurn['message'] | null {
  const sent = state.entries.filter(({ kind }) => kind === 'message').length;
  return recording.turns[sent]?.message ?? null;
}

/** All answers of a recording, in order: the n-th answer of a session that plays it is the n-th of these. */
export function stepsOf(recording: Recording): readonly RecordedStep[] {
  return recording.turns.flatMap(({ steps }) => steps);
}

/** What each call of a playing session gave when it was recorded, by the call's id. */
export function recordedCalls(
  recording: Recording,
  state: SessionState,
): ReadonlyMap<string, RecordedCall> {
  const found = new Map<string, RecordedCall>();
  const steps = stepsOf(recording);
  let at = 0;
  for (const entry of state.entries) {
    // What failed is asked again, and gets the same answer.
    if (entry.kind !== 'step' || entry.fault !== null) continue;
    const calls = (steps[at]?.parts ?? []).filter((part) => part.type === 'call');
    const asked = entry.parts.filter((part) => part.type === 'call');
    for (const [index, { id }] of asked.entries()) {
      const call = calls[index];
      if (call !== undefined) found.set(id, call);
    }
    at += 1;
  }
  return found;
}

function recorded(part: AssistantPart, calls: ReadonlyMap<string, SessionCall>): RecordedPart {
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

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fault(why: string): ToolError {
  return new ToolError(
    'bad-input',
    `This file cannot be played: ${why}.`,
    'Choose a file that “Save as a recording” has written.',
  );
}
