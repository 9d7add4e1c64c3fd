/** Which failed requests to a model are sent again, and after what time. */

import type { ModelError } from '../../spec/model-error.ts';

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
  const max = error.mayPass ? maxRetries : error.fault === 'answer' ? 1 : 0;
  if (failures > max) return null;
  const delay = error.retryAfterMs ?? firstDelayMs * 2 ** (failures - 1) * (0.75 + random / 2);
  return delay > maxDelayMs ? null : Math.max(0, delay);
}
