/** The current limits: the defaults, and those that the user has changed, which this browser stores. */

import {
  adjustableLimits,
  defaultLimits,
  type AdjustableLimit,
  type Limits,
} from '../runtime/spec/limits.ts';

const key = 'cloche:limits';

export class ChosenLimits {
  /** The object is changed, not replaced, so that all code that holds it uses the current limits. */
  readonly current: Limits = { ...defaultLimits };
  readonly #memory: Pick<Storage, 'getItem' | 'setItem'> | null;

  /** @param memory null if the browser refuses storage; changes then last until the page is closed */
  constructor(memory: Pick<Storage, 'getItem' | 'setItem'> | null) {
    this.#memory = memory;
    Object.assign(this.current, this.#readStored());
  }

  /** Sets a limit at once; running calls and interpreters use it from their next use. @throws {RangeError} outside the bounds */
  set(limit: AdjustableLimit, value: number): void {
    const [least, max] = adjustableLimits[limit];
    if (!Number.isInteger(value) || value < least || value > max)
      throw new RangeError(`${limit} must be an integer from ${String(least)} to ${String(max)}.`);
    Object.assign(this.current, { [limit]: value });
    try {
      this.#memory?.setItem(key, JSON.stringify({ ...this.#readStored(), [limit]: value }));
    } catch {
      // If storage is full or blocked, the limit lasts until the page is closed.
    }
  }

  /** The stored limits that are within their bounds; anything else is ignored. */
  #readStored(): Partial<Limits> {
    try {
      const stored: unknown = JSON.parse(this.#memory?.getItem(key) ?? '{}');
      const values = new Map(Object.entries(stored ?? {}) as [string, unknown][]);
      return Object.fromEntries(
        Object.entries(adjustableLimits).flatMap(([limit, [least, max]]) => {
          const value = values.get(limit);
          const fits = Number.isInteger(value) && Number(value) >= least && Number(value) <= max;
          return fits ? [[limit, Number(value)]] : [];
        }),
      );
    } catch {
      return {};
    }
  }
}
