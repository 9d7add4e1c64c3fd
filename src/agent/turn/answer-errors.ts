/** Errors of model answers, with their messages for the user, and when a failed request is sent again. */

import { errorText } from '../../runtime/spec/error.ts';
import { ModelError } from '../../runtime/spec/model-error.ts';
import type { Finish } from '../../runtime/spec/model.ts';
import type { StoredFault } from '../../runtime/spec/session.ts';

/** Limit for answers in a row that were truncated before their calls were complete. */
export const maxTruncated = 3;

/** Why an answer is incomplete. */
export type Truncation = Extract<Finish, 'length' | 'filtered'>;

/** @returns null if the answer is complete */
export function truncationOf(finish: Finish): Truncation | null {
  return finish === 'length' || finish === 'filtered' ? finish : null;
}

export function toModelError(thrown: unknown): ModelError {
  if (thrown instanceof ModelError) return thrown;
  const hint = 'Press “Continue” to try again, or choose another model.';
  return new ModelError('provider', errorText(thrown), hint);
}

/** The error in the form that the log stores. */
export function faultOf({ fault, message, hint }: ModelError): StoredFault {
  return { fault, message, ...(hint === undefined ? {} : { hint }) };
}

export const answerErrors = {
  noModel: () =>
    new ModelError('model', 'No model is chosen.', 'Choose one below, then press “Continue”.'),
  blockedByExtension: () =>
    new ModelError('provider', 'An extension blocked the request to the model.'),
  streamEndedEarly: () => new ModelError('cut', 'The answer was interrupted.'),
  empty: () =>
    new ModelError(
      'answer',
      'The model returned an empty answer.',
      'Press “Continue” to try again.',
    ),
  truncated: (truncation: Truncation) =>
    truncation === 'length'
      ? new ModelError(
          'provider',
          'The answer reached the output limit of the model.',
          'Press “Continue” to get the rest.',
        )
      : new ModelError(
          'refused',
          'The provider’s content filter ended the answer.',
          'Rephrase your message, or choose another model.',
        ),
  truncatedTooOften: () =>
    new ModelError(
      'provider',
      `${maxTruncated} answers in a row reached the output limit of the model before their calls were complete.`,
      'Choose a model with a higher output limit, or ask for less, then press “Continue”.',
    ),
  unknownFinish: () =>
    new ModelError(
      'provider',
      'The answer ended for an unknown reason and may be incomplete.',
      'Press “Continue” to get the rest, or choose another model.',
    ),
  tooManySteps: (steps: number) =>
    new ModelError(
      'provider',
      `The model has answered ${steps} times in this turn.`,
      'Check what it is doing, then press “Continue”.',
    ),
};

const maxRetries = 4;
const firstDelayMs = 1_000;
/** If a provider asks for a longer wait, the request is not retried. */
const maxDelayMs = 60_000;

/**
 * Returns the wait before the next attempt in milliseconds, or null if there is none.
 *
 * @param failures the number of failed attempts
 * @param random from 0 to below 1, so that tabs that failed together do not retry together
 */
export function retryDelay(error: ModelError, failures: number, random: number): number | null {
  // An invalid answer may be better at the second attempt, but rarely at the third.
  const max = error.isTemporary ? maxRetries : error.fault === 'answer' ? 1 : 0;
  if (failures > max) return null;
  const asked = error.retryAfterMs ?? 0;
  // A provider that asks for no wait would get all attempts at once.
  const delay = asked > 0 ? asked : firstDelayMs * 2 ** (failures - 1) * (0.75 + random / 2);
  return delay > maxDelayMs ? null : delay;
}
