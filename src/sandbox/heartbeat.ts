/** Detects when something has died silently, by pinging it and waiting for answers. */

import { patientTimeout } from '../async/patient-timer.ts';

export interface Pulse {
  /** Milliseconds between an answer and the next ping. */
  readonly restMs: number;
  /** Milliseconds that an answer may take. */
  readonly silenceMs: number;
  /** Milliseconds that the answer to a second ping may take. After that, the other side counts as dead. */
  readonly lastChanceMs: number;
}

/** Ping intervals for an interpreter. */
export const pulse: Pulse = { restMs: 3_000, silenceMs: 6_000, lastChanceMs: 3_000 };

/**
 * @param ask sends a ping; resolves with the answer
 * @param onSilence called at most once, when no answer comes
 * @returns a function that stops the watch
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
      // When a suspended page wakes up, its timers fire before answers that have arrived meanwhile. So ping a
      // second time.
      listen(silenceMs, () => listen(lastChanceMs, onSilence));
    });
  };
  const listen = (ms: number, otherwise: () => void): void => {
    let isSettled = false;
    cancel = patientTimeout(ms, () => {
      isSettled = true;
      otherwise();
    });
    const answered = (): void => {
      if (isSettled || over) return;
      isSettled = true;
      cancel();
      rest();
    };
    // A rejection also shows that the other side is alive.
    ask().then(answered, answered);
  };
  rest();
  return () => {
    over = true;
    cancel();
  };
}
