/** Messages that wait for their turn to take them. */

import type { UserPart } from '../spec/model.ts';
import type { Queued } from './live.ts';
import type { LiveState } from './live-state.ts';

export class MessageQueue {
  readonly #live: LiveState;
  /** Aborts when a message comes. */
  #steer = new AbortController();

  constructor(live: LiveState) {
    this.#live = live;
  }

  add(id: string, parts: readonly UserPart[]): void {
    this.#live.set({ queue: [...this.#live.get().queue, { id, parts }] });
    this.#steer.abort();
  }

  remove(id: string): void {
    this.#leave(this.#live.get().queue.filter((queued) => queued.id !== id));
  }

  take(): readonly Queued[] {
    const { queue } = this.#live.get();
    const taken = queue.filter(({ stopped }) => stopped === undefined);
    if (taken.length > 0) this.#leave(queue.filter(({ stopped }) => stopped !== undefined));
    return taken;
  }

  /** They could not be taken after all, and come before what has been added since. */
  putBack(messages: readonly Queued[]): void {
    const { queue } = this.#live.get();
    const back = messages.filter(({ id }) => queue.every((queued) => queued.id !== id));
    if (back.length > 0) this.#live.set({ queue: [...back, ...queue] });
  }

  steered(): AbortSignal {
    return this.#steer.signal;
  }

  /** What was taken, or taken back, steers nothing any more; nor does what was stopped, and waits on. */
  #leave(queue: readonly Queued[]): void {
    this.#live.set({ queue });
    const isSteered = queue.some(({ stopped }) => stopped === undefined);
    // A call may be waiting for a signal that has not come.
    if (this.#steer.signal.aborted && !isSteered) this.#steer = new AbortController();
  }
}
