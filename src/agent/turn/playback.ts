/** Plays recordings: sends their messages one after the other, and provides the answers of the model. */

import {
  type IsRecording,
  readRecording,
  type RecordedStep,
  type Recording,
} from '../../runtime/spec/recording.ts';
import {
  isInterrupted,
  nextAnswer,
  nextMove,
  findRecordedCalls,
} from '../session/recording/playback-position.ts';
import { calledToolName, type SessionState } from '../session/session-state.ts';
import type { JsonText } from '../../runtime/spec/json.ts';
import { ModelError } from '../../runtime/spec/model-error.ts';
import type { UserPart } from '../../runtime/spec/model.ts';
import type { Live } from './live-state.ts';

/** The part of a live session that playing needs. */
interface PlayedSession {
  readonly state: SessionState;
  readonly live: Live;
  readonly writes: boolean;
  observe(listener: () => void): () => void;
  resume(): void;
  send(parts: readonly UserPart[]): void;
}

/**
 * Continues a recording from the session's current position: resumes an incomplete turn, then sends the remaining
 * messages.
 *
 * @param signal stops playing; the running turn continues
 * @returns resolves when nothing is left, a turn did not end well, or playing was stopped; never rejects
 */
export function playRecording(
  signal: AbortSignal,
  session: PlayedSession,
  recording: Recording,
): Promise<void> {
  return new Promise((resolve) => {
    /** The number of entries at the latest move. A move that adds no entry is not repeated. */
    let movedAt = -1;
    const stopPlaying = (): void => {
      dispose();
      signal.removeEventListener('abort', stopPlaying);
      resolve();
    };
    const playNext = ({ mayResume }: { mayResume: boolean }): void => {
      const { state, live } = session;
      if (state.turnId !== null || live.phase !== 'idle') return;
      const move = nextMove(recording, state);
      const isStuck = state.entries.length === movedAt || (!mayResume && isInterrupted(state));
      if (signal.aborted || isStuck || move === null || !session.writes) {
        stopPlaying();
        return;
      }
      movedAt = state.entries.length;
      if (move.type === 'resume') session.resume();
      else session.send(move.message);
    };
    const dispose = session.observe(() => playNext({ mayResume: false }));
    signal.addEventListener('abort', stopPlaying, { once: true });
    playNext({ mayResume: true });
  });
}

/** The recordings that sessions play. Keeps the one that was parsed last, which every request and every call card reads. */
export class PlayedRecordings {
  readonly #isRecording: IsRecording;
  #parsed: { readonly text: JsonText; readonly recording: Recording | null } | null = null;

  constructor(isRecording: IsRecording) {
    this.#isRecording = isRecording;
  }

  /** The recording that a session plays; null if there is none, or it cannot be read. */
  of({ state: { replays: text } }: { readonly state: SessionState }): Recording | null {
    if (text === null) return null;
    if (this.#parsed?.text === text) return this.#parsed.recording;
    let recording: Recording | null = null;
    try {
      recording = readRecording(text, this.#isRecording);
    } catch {
      // Invalid recordings are null.
    }
    this.#parsed = { text, recording };
    return recording;
  }
}

/**
 * Returns the recorded answer for a session's current step.
 *
 * @param recording null if it cannot be read
 * @param stepId null for a request outside the conversation
 * @throws {ModelError} if the recording has no such answer
 */
export function findRecordedAnswer(
  recording: Recording | null,
  state: SessionState,
  stepId: string | null,
): RecordedStep {
  if (recording === null)
    throw new ModelError('model', 'Could not read the recording of this session.', hint);
  if (stepId === null) throw notInRecording();
  const answer = nextAnswer(recording, state);
  if (answer !== null) return answer;
  throw new ModelError('model', `The recording has ended.${failureText(recording, state)}`, hint);
}

/** Describes the last call that failed only now, which may be why the recording has no answer. */
function failureText(recording: Recording, state: SessionState): string {
  const recorded = findRecordedCalls(recording, state);
  let text = '';
  for (const [id, { asked, result, nested = [] }] of state.calls) {
    const earlier = recorded.get(id)?.result;
    // Recordings have no nested calls. A program with the recorded result is taken to have made the same ones.
    const isAsRecorded =
      result?.resultType === 'success' && earlier?.text === result.textResultForLlm;
    if (earlier?.resultType === 'failure' || isAsRecorded) continue;
    for (const call of [...nested, { tool: calledToolName(asked), result }])
      if (call.result?.resultType === 'failure')
        text = ` It has no answer to this failure of ${call.tool}: ${(call.result.error ?? '').slice(0, maxError)}`;
  }
  return text;
}

/** The error for summaries and background prompts, which need a model. */
export function notInRecording(): ModelError {
  return new ModelError('model', 'A recording answers only its own messages.', hint);
}

const hint = 'Choose a model to continue.';
/** Limit of the characters of a failed call's error that are shown. */
const maxError = 300;
