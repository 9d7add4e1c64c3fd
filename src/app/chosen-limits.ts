/** The current limits: the defaults, and those that the user has changed, which this browser stores. */

import { recall, remember } from '../runtime/spec/browser-storage.ts';
import { asFields, parseJson } from '../runtime/spec/guards.ts';
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
    remember(this.#memory, key, JSON.stringify({ ...this.#readStored(), [limit]: value }));
  }

  /** The stored limits that are within their bounds; anything else is ignored. */
  #readStored(): Partial<Limits> {
    const stored = asFields(parseJson(recall(this.#memory, key)));
    return Object.fromEntries(
      Object.entries(adjustableLimits).flatMap(([limit, [least, max]]) => {
        const value = stored[limit];
        const fits = Number.isInteger(value) && Number(value) >= least && Number(value) <= max;
        return fits ? [[limit, Number(value)]] : [];
      }),
    );
  }
}
