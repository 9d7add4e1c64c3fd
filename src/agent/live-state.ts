/** Holds what a turn is at, and tells who watches. */

import { idle, type Live } from './live.ts';

export class LiveState {
  #live: Live = idle;
  readonly #onChange: (live: Live) => void;

  constructor(onChange: (live: Live) => void) {
    this.#onChange = onChange;
  }

  get(): Live {
    return this.#live;
  }

  set(change: Partial<Live>): void {
    this.#live = { ...this.#live, ...change };
    this.#onChange(this.#live);
  }

  /** Nothing is under way any more; what waits in the queue stays. */
  rest(): void {
    this.set({ phase: 'idle', stepId: null, parts: [], waiting: null, paused: null });
  }
}
