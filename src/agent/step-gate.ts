/** Step mode: holds each answer and each call back until the person lets it happen. */

import type { Live } from './live.ts';
import type { LiveState } from './live-state.ts';

export class StepGate {
  readonly #live: LiveState;
  #open: () => void = () => undefined;

  constructor(live: LiveState) {
    this.#live = live;
  }

  setMode(on: boolean): void {
    this.#live.set({ stepMode: on });
    if (!on) this.#open();
  }

  /** Lets the one thing happen that waits. */
  step(): void {
    this.#open();
  }

  /** Resolves at once while step mode is off. @throws the signal's reason */
  async pass(signal: AbortSignal, before: NonNullable<Live['paused']>): Promise<void> {
    signal.throwIfAborted();
    if (!this.#live.get().stepMode) return;
    this.#live.set({ phase: 'paused', paused: before });
    await new Promise<void>((resolve, reject) => {
      const abort = (): void => reject(signal.reason as Error);
      this.#open = () => {
        signal.removeEventListener('abort', abort);
        resolve();
      };
      signal.addEventListener('abort', abort, { once: true });
    }).finally(() => {
      this.#open = () => undefined;
      this.#live.set({ paused: null });
    });
  }
}
