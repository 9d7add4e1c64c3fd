/** Answers that were cut: what they call is not made, since nobody knows what else it was to say. */

import { failure } from '../call/results.ts';
import { calledName } from '../session/called-name.ts';
import type { AskedCall, Finish } from '../spec/model.ts';
import { ModelError } from '../spec/model-error.ts';
import type { ToolResult } from '../spec/result.ts';

/** Answers in a row whose calls were cut: a model that has no room for them will not find any. */
export const mostCuts = 3;

/** What cut an answer. */
export type Cut = Extract<Finish, 'length' | 'filtered'>;

/** Null: it came to an end of its own. */
export function cutOf(finish: Finish): Cut | null {
  return finish === 'length' || finish === 'filtered' ? finish : null;
}

/** What the model is told of a call in such an answer. */
export function cutCallResult(asked: AskedCall, cut: Cut): ToolResult {
  const why = {
    length:
      'your answer reached the longest that it may be, and was cut there. Call it again with less, or do it in several smaller calls.',
    filtered: 'the provider’s filter ended your answer.',
  }[cut];
  return failure('cancelled', `The call of ${calledName(asked)} was not made: ${why}`);
}

/** What the person is told where the turn ends with it. */
export function cutFault(cut: Cut): ModelError {
  if (cut === 'length')
    return new ModelError(
      'provider',
      'The answer reached the longest that this model gives, and ends there.',
      'Press “Go on” to have the rest.',
    );
  return new ModelError(
    'refused',
    'The provider’s filter ended the answer.',
    'Ask in other words, or choose another model.',
  );
}

export function tooOftenCut(): ModelError {
  return new ModelError(
    'provider',
    `${mostCuts} answers in a row reached the longest that this model gives before their calls were written.`,
    'Choose a model that gives longer answers, or ask for less at once, then press “Go on”.',
  );
}
