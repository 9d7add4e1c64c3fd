/** Which faults of a model are tried again, and when. */

import { ModelError } from '../spec/model-error.ts';
import type { KeptFault } from '../spec/session.ts';
import { errorText } from '../spec/error.ts';

/** Tries after the first one. */
const mostTries = 4;
const firstMs = 1_000;
/** A provider that wants more patience than this is not waited for; milliseconds. */
const longestMs = 60_000;

/**
 * How long to wait before the next try; null: there is none.
 *
 * @param tries that have failed
 * @param random from 0 to below 1: pages that failed together do not come back together
 */
export function retryDelay(error: ModelError, tries: number, random: number): number | null {
  // What makes no sense once may do so the second time, rarely the third.
  const most = error.mayPass ? mostTries : error.fault === 'answer' ? 1 : 0;
  if (tries > most) return null;
  const own = firstMs * 2 ** (tries - 1) * (0.75 + random / 2);
  const wanted = error.retryAfterMs ?? own;
  return wanted > longestMs ? null : Math.max(wanted, error.retryAfterMs === null ? own : 0);
}

/** Whatever was thrown, as a fault of a model. */
export function modelError(thrown: unknown): ModelError {
  if (thrown instanceof ModelError) return thrown;
  return new ModelError(
    'provider',
    errorText(thrown),
    'Press “Go on” to try again, or choose another model.',
  );
}

/** A stream without an end. */
export function brokenOff(): ModelError {
  return new ModelError('cut', 'The answer broke off.');
}

export function answeredNothing(): ModelError {
  return new ModelError(
    'answer',
    'The model answered with nothing.',
    'Press “Go on” to ask it again.',
  );
}

export function keptFault({ fault, message, hint }: ModelError): KeptFault {
  return { fault, message, ...(hint === undefined ? {} : { hint }) };
}
