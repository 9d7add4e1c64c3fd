/** Determines what comes next in a session that plays a recording. */

import {
  replayProvider,
  type RecordedCall,
  type RecordedPart,
  type RecordedStep,
  type RecordedTurn,
  type Recording,
} from '../../../runtime/spec/recording.ts';
import type { Entry, SessionState, StepEntry } from '../session-state.ts';

/** The position of a session in its recording. */
interface Position {
  /**
   * The turn of the session's latest message: message m starts turn m of the recording. -1 before the first message.
   */
  readonly turn: number;
  /** The complete answers since that message: answer k is answer k of the turn. */
  readonly answers: readonly StepEntry[];
}

/** Returns the next answer of the recording; null if the turn has no more. */
export function nextAnswer(recording: Recording, state: SessionState): RecordedStep | null {
  const { turn, answers } = positionIn(state);
  return answersOf(recording.turns[turn])[answers.length] ?? null;
}

/**
 * Returns the messages that a running turn receives before the model is asked again. If the turn has no answer left,
 * these are the messages of the next turns, up to one with answers: they steered the recorded turn, or followed it
 * after it was stopped.
 */
export function nextMessages(
  recording: Recording,
  state: SessionState,
): readonly RecordedTurn['message'][] {
  if (!isPlaying(state) || nextAnswer(recording, state) !== null) return [];
  const further = recording.turns.slice(positionIn(state).turn + 1);
  const last = further.findIndex((turn) => answersOf(turn).length > 0);
  return further.slice(0, last === -1 ? undefined : last + 1).map(({ message }) => message);
}

/** The next step of playing a recording in an idle session. */
export type Move =
  | { readonly type: 'resume' }
  | { readonly type: 'send'; readonly message: RecordedTurn['message'] };

/** @returns null if the whole recording was played */
export function nextMove(recording: Recording, state: SessionState): Move | null {
  const { turn } = positionIn(state);
  const wasInterrupted = isInterrupted(state);
  const last = state.entries.findLast(isOfTurn);
  // Answers of another model are not repeated from the recording.
  const isTurnIncomplete = isPlaying(state)
    ? nextAnswer(recording, state) !== null && (wasInterrupted || isReplayed(last))
    : wasInterrupted && turn < recording.turns.length;
  if (isTurnIncomplete) return { type: 'resume' };
  const next = recording.turns[turn + 1];
  return next === undefined ? null : { type: 'send', message: next.message };
}

/** Returns whether the latest turn is incomplete: it was stopped, failed or was lost, or its answers were not copied. */
export function isInterrupted({ entries }: SessionState): boolean {
  const last = entries.findLast(isOfTurn);
  return last !== undefined && last.kind !== 'step';
}

/** Returns the recorded call for each call of a session that plays, by the id of the call. */
export function findRecordedCalls(
  recording: Recording,
  state: SessionState,
): ReadonlyMap<string, RecordedCall> {
  const found = new Map<string, RecordedCall>();
  for (const { turn, answers } of positionsIn(state)) {
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

export function isEmptyPart(part: RecordedPart): boolean {
  return part.type !== 'call' && part.text === '';
}

/** Returns the answers of a turn that are not empty. */
function answersOf(turn: RecordedTurn | undefined): readonly RecordedStep[] {
  return (turn?.steps ?? []).filter(({ parts }) => !parts.every(isEmptyPart));
}

function positionIn(state: SessionState): Position {
  return positionsIn(state).at(-1) ?? { turn: -1, answers: [] };
}

/** Returns a position for each message of a session, with the recorded answers to it. */
function positionsIn({ entries, calls }: SessionState): readonly Position[] {
  const positions: { turn: number; answers: StepEntry[] }[] = [];
  for (const entry of entries) {
    if (entry.kind === 'message') positions.push({ turn: positions.length, answers: [] });
    const answers = positions.at(-1)?.answers;
    if (isReplayed(entry)) answers?.push(entry);
    // The page was closed before the calls of the answer were made, so it is played again.
    const isLost = entry.kind === 'turn-ended' && entry.end === 'lost';
    if (isLost && madeNoCall(answers?.at(-1), calls)) answers?.pop();
  }
  return positions;
}

function madeNoCall(answer: StepEntry | undefined, calls: SessionState['calls']): boolean {
  const asked = answer?.parts.filter((part) => part.type === 'call') ?? [];
  return asked.length > 0 && asked.every(({ id }) => calls.get(id)?.result?.error === 'cancelled');
}

/** Returns whether the recording gave this answer completely. An answer that failed or was cut is played again. */
function isReplayed(entry: Entry | undefined): entry is StepEntry {
  if (entry?.kind !== 'step' || entry.fault !== null) return false;
  return entry.finish !== null && entry.finish !== 'cut' && entry.model.provider === replayProvider;
}

/** Returns whether the recording answers, rather than a model that the user has chosen since. */
function isPlaying({ head }: SessionState): boolean {
  return head.model?.provider === replayProvider;
}

function isOfTurn({ kind }: Entry): boolean {
  return kind === 'message' || kind === 'step' || kind === 'turn-ended';
}

/** Whether the model of a recording calls a tool. */
export function callsTool({ turns }: Recording, tool: string): boolean {
  const parts = turns.flatMap(({ steps }) => steps.flatMap((step) => step.parts));
  return parts.some((part) => part.type === 'call' && part.tool === tool);
}
