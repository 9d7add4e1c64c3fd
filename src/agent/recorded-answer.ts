/** What a recording answers where a model would be asked, and what it does not answer. */

import { nextAnswer } from '../session/recording.ts';
import type { SessionState } from '../session/session-state.ts';
import { ModelError } from '../spec/model-error.ts';
import type { RecordedStep, Recording } from '../spec/recording.ts';

/**
 * @param recording null: it cannot be read
 * @param stepId of the session's step under way; null: the question is none of the conversation
 * @throws {ModelError} where the recording has no answer to this
 */
export function recordedAnswer(
  recording: Recording | null,
  state: SessionState,
  stepId: string | null,
): RecordedStep {
  if (recording === null)
    throw new ModelError('model', 'The recording of this session cannot be read.', hint);
  if (stepId === null) throw onlyItsOwn();
  const answer = nextAnswer(recording, state);
  if (answer === null)
    throw new ModelError(
      'model',
      'The recording has come to its end: it has no further answer.',
      hint,
    );
  return answer;
}

/** Summaries and prompts beside the session are for a model. */
export function onlyItsOwn(): ModelError {
  return new ModelError('model', 'A recording answers its own messages only.', hint);
}

const hint = 'Choose a model to go on from here.';
