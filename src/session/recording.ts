/** Recordings: read from a file, and what of one comes next in the session that plays it. */

import { deeperThan } from '../spec/depth.ts';
import { ToolError } from '../spec/error.ts';
import type { Json, JsonObject } from '../spec/json.ts';
import {
  replayProvider,
  type RecordedCall,
  type RecordedPart,
  type RecordedStep,
  type RecordedTurn,
  type Recording,
} from '../spec/recording.ts';
import type { Entry, SessionState, StepEntry } from './session-state.ts';

/** Characters of a recording as it is kept: as JSON text, in one event of the session that plays it. */
export const longestRecording = 8_000_000;
/** Characters of a file that is looked at: it may have spaces and escapes that are not kept. */
const longestFile = 8 * longestRecording;
/** Deeper than any recording is. */
const deepest = 16;

/** What a compiled schema gives; see virtual:cloche/page-validators. */
type IsRecording = (value: unknown) => boolean;

/** Reads a file. @throws {ToolError} `bad-input` with what is wrong in it */
export function readRecording(text: string, isRecording: IsRecording): Recording {
  if (text.length > longestFile) throw tooLong(lengthProblem(text.length));
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    throw fault('it is damaged, or a part of it is missing');
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
  const recording = value as unknown as Recording;
  const problem = text.length * 2 > longestRecording ? playingProblem(recording) : null;
  if (problem !== null) throw tooLong(problem);
  return recording;
}

/** Why a recording is too long to be played; null: it is not. */
export function playingProblem(recording: Recording): string | null {
  // Kept, it is a text within a text, where each quote takes two characters.
  const kept = JSON.stringify(JSON.stringify(recording)).length;
  return kept > longestRecording ? lengthProblem(kept) : null;
}

/** How far a session has come in the recording that it plays. */
interface Place {
  /** Of its latest message: the m-th message of a session begins the m-th turn of the recording. -1: none yet. */
  readonly turn: number;
  /** That the recording has given whole since then: the k-th of them is the k-th answer of that turn. */
  readonly answers: readonly StepEntry[];
}

/** The answer that the recording gives next; null: the turn has no further one. */
export function nextAnswer(recording: Recording, state: SessionState): RecordedStep | null {
  const { turn, answers } = placeIn(state);
  return answersOf(recording.turns[turn])[answers.length] ?? null;
}

/**
 * The messages that a turn under way takes in before the model is asked again: where it has no answer left, those of the
 * next turns, up to one with answers. They steered it as it was recorded, or followed where it was stopped.
 */
export function dueMessages(
  recording: Recording,
  state: SessionState,
): readonly RecordedTurn['message'][] {
  if (!isPlaying(state) || nextAnswer(recording, state) !== null) return [];
  const further = recording.turns.slice(placeIn(state).turn + 1);
  const last = further.findIndex((turn) => answersOf(turn).length > 0);
  return further.slice(0, last === -1 ? undefined : last + 1).map(({ message }) => message);
}

/** What plays a recording on, in a session that is at rest. */
export type Move =
  | { readonly type: 'resume' }
  | { readonly type: 'send'; readonly message: RecordedTurn['message'] };

/** Null: all of it was played. */
export function nextMove(recording: Recording, state: SessionState): Move | null {
  const { turn } = placeIn(state);
  const isBroken = isBrokenOff(state);
  const last = state.entries.findLast(isOfTurn);
  // What another model has answered to its end, the recording does not answer once more.
  const isOpen = isPlaying(state)
    ? nextAnswer(recording, state) !== null && (isBroken || isReplayed(last))
    : isBroken && turn < recording.turns.length;
  if (isOpen) return { type: 'resume' };
  const next = recording.turns[turn + 1];
  return next === undefined ? null : { type: 'send', message: next.message };
}

/** The latest turn came to no good end: it was stopped, it failed, its page went, or its answers were not copied with it. */
export function isBrokenOff({ entries }: SessionState): boolean {
  const last = entries.findLast(isOfTurn);
  return last !== undefined && last.kind !== 'step';
}

/** What each call of a playing session gave when it was recorded, by the call's id. */
export function recordedCalls(
  recording: Recording,
  { entries }: SessionState,
): ReadonlyMap<string, RecordedCall> {
  const found = new Map<string, RecordedCall>();
  for (const { turn, answers } of placesIn(entries)) {
    const recorded = answersOf(recording.turns[turn]);
    for (const [index, { parts }] of answers.entries()) {
      const calls = (recorded[index]?.parts ?? []).filter((part) => part.type === 'call');
      const asked = parts.filter((part) => part.type === 'call');
      for (const [at, { id }] of asked.entries()) {
        const call = calls[at];
        if (call !== undefined) found.set(id, call);
      }
    }
  }
  return found;
}

export function callsTools({ parts }: RecordedStep): boolean {
  return parts.some(({ type }) => type === 'call');
}

/** Nothing of it would be seen as it is played. */
export function saysNothing(part: RecordedPart): boolean {
  return part.type !== 'call' && part.text === '';
}

/** Those that a model can have given: one of which nothing streams would be no answer. */
function answersOf(turn: RecordedTurn | undefined): readonly RecordedStep[] {
  return (turn?.steps ?? []).filter(({ parts }) => !parts.every(saysNothing));
}

function placeIn({ entries }: SessionState): Place {
  return placesIn(entries).at(-1) ?? { turn: -1, answers: [] };
}

/** Each message of a session with what the recording has answered to it. */
function placesIn(entries: readonly Entry[]): readonly Place[] {
  const places: { turn: number; answers: StepEntry[] }[] = [];
  for (const entry of entries) {
    if (entry.kind === 'message') places.push({ turn: places.length, answers: [] });
    if (isReplayed(entry)) places.at(-1)?.answers.push(entry);
  }
  return places;
}

/** An answer that failed or was cut is given once more, from its beginning; one of another model is none of the recording. */
function isReplayed(entry: Entry | undefined): entry is StepEntry {
  if (entry?.kind !== 'step' || entry.fault !== null) return false;
  return entry.finish !== null && entry.finish !== 'cut' && entry.model.provider === replayProvider;
}

/** The recording answers, and not a model that the person has chosen since. */
function isPlaying({ head }: SessionState): boolean {
  return head.model?.provider === replayProvider;
}

function isOfTurn({ kind }: Entry): boolean {
  return kind === 'message' || kind === 'step' || kind === 'turn-ended';
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

function lengthProblem(chars: number): string {
  return `This recording cannot be played: it takes ${chars} characters where it is kept, in the session that plays it, and at most ${longestRecording} fit there.`;
}

function tooLong(problem: string): ToolError {
  return new ToolError('bad-input', problem, 'Take pictures or whole turns out of it.');
}
