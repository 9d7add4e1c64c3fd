/** Watches over something that may die without a word: asks for signs of life, and tells when none come. */

import { patientTimeout } from '../async/patient-timer.ts';

export interface Pulse {
  /** Between a sign of life and the next question; milliseconds. */
  readonly restMs: number;
  /** How long an answer may take; milliseconds. */
  readonly silenceMs: number;
  /** How long the answer to a second question may take, before silence is death; milliseconds. */
  readonly lastChanceMs: number;
}

/** Of an interpreter. */
export const pulse: Pulse = { restMs: 5_000, silenceMs: 15_000, lastChanceMs: 5_000 };

/**
 * @param ask for a sign of life; resolves when it comes
 * @param onSilence told once
 * @returns ends the watch
 */
export function watchPulse(
  ask: () => Promise<unknown>,
  { restMs, silenceMs, lastChanceMs }: Pulse,
  onSilence: () => void,
): () => void {
  let over = false;
  let cancel: () => void = () => undefined;
  const rest = (): void => {
    cancel = patientTimeout(restMs, () => {
      // A page that wakes finds its timers due before the answers that have come meanwhile: so ask twice.
      listen(silenceMs, () => {
        listen(lastChanceMs, onSilence);
      });
    });
  };
  const listen = (ms: number, otherwise: () => void): void => {
    let heard = false;
    cancel = patientTimeout(ms, () => {
      heard = true;
      otherwise();
    });
    const answered = (): void => {
      if (heard || over) return;
      heard = true;
      cancel();
      rest();
    };
    // A rejection is an answer of the other side too.
    ask().then(answered, answered);
  };
  rest();
  return () => {
    over = true;
    cancel();
  };
}
