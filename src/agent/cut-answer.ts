/** Calls that are not made: of answers that were cut, since nobody knows what else they were to say, and of too long a list. */

import { failure } from '../call/results.ts';
import { calledName } from '../session/called-name.ts';
import type { AskedCall, Finish } from '../spec/model.ts';
import { ModelError } from '../spec/model-error.ts';
import type { ToolResult } from '../spec/result.ts';
import { mostCalls } from './step-parts.ts';

/** Answers in a row whose calls were cut: a model that has no room for them will not find any. */
export const mostCuts = 3;

/** What cut an answer. */
export type Cut = Extract<Finish, 'length' | 'filtered'>;

/** Null: it came to an end of its own. */
export function cutOf(finish: Finish): Cut | null {
  return finish === 'length' || finish === 'filtered' ? finish : null;
}

/**
 * What the model is told of a call that is not made; null: it is.
 * @param index among the calls of its answer
 */
export function unmadeResult(asked: AskedCall, index: number, cut: Cut | null): ToolResult | null {
  if (cut !== null) return cutCallResult(asked, cut);
  if (index < mostCalls) return null;
  return failure(
    'cancelled',
    `The call of ${calledName(asked)} was not made, nor was any behind it: at most ${mostCalls} calls of one answer are. Call what is missing in your next answer.`,
  );
}

function cutCallResult(asked: AskedCall, cut: Cut): ToolResult {
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
