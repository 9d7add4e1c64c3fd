/** Detects when something has died silently, by pinging it and waiting for signs of life. */

import { patientTimeout } from '../async/timers.ts';

export interface Pulse {
  /** Milliseconds between an answer and the next ping. */
  readonly restMs: number;
  /** Milliseconds without a sign of life after a ping. */
  readonly silenceMs: number;
  /** Milliseconds without a sign of life after a second ping, until the other side counts as dead. */
  readonly lastChanceMs: number;
}

/**
 * Ping intervals for an interpreter. A broker does not answer while it reads the longest message that a tool may send,
 * which takes a fraction of a second on a desktop computer, and some seconds on a slow phone.
 */
export const pulse: Pulse = { restMs: 3_000, silenceMs: 6_000, lastChanceMs: 8_000 };

export interface PulseWatch {
  /** Reports a sign of life other than the answer to a ping. */
  alive(): void;
  stop(): void;
}

/**
 * @param ask sends a ping; resolves with the answer
 * @param onSilence called at most once, when there is no sign of life
 */
export function watchPulse(
  ask: () => Promise<unknown>,
  { restMs, silenceMs, lastChanceMs }: Pulse,
  onSilence: () => void,
): PulseWatch {
  let over = false;
  let cancel: () => void = () => undefined;
  let isListening = false;
  const pause = (): void => {
    isListening = false;
    cancel = patientTimeout(restMs, () => {
      isListening = true;
      // When a suspended page wakes up, its timers fire before answers that have arrived meanwhile. So ping a
      // second time.
      listen(silenceMs, () =>
        listen(lastChanceMs, () => {
          over = true;
          onSilence();
        }),
      );
    });
  };
  const listen = (ms: number, otherwise: () => void): void => {
    cancel = patientTimeout(ms, otherwise);
    // A late answer to the first ping also counts, and so does a rejection.
    ask().then(noteAnswer, noteAnswer);
  };
  const noteAnswer = (): void => {
    if (!isListening || over) return;
    cancel();
    pause();
  };
  const stop = (): void => {
    over = true;
    cancel();
  };
  pause();
  return { alive: noteAnswer, stop };
}
