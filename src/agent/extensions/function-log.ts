/** The log of an extension's functions: their time, and their faults. */

export interface Fault {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Name of the failed part, such as `The interceptor deny-rm`. */
  readonly what: string;
  readonly message: string;
}

/** Limit of faults that are kept; older ones are dropped. */
const maxFaults = 20;
/** A function that takes longer is listed as slow; milliseconds. */
const slowMs = 50;
/** Limit of functions that are listed as slow, since an extension chooses their names. */
const maxSlow = 100;

export class RunLog {
  readonly #now: () => number;
  readonly #onChange: () => void;
  readonly #slow = new Map<string, number>();
  #faults: readonly Fault[] = [];
  #calls = 0;
  #spentMs = 0;

  constructor(now: () => number, onChange: () => void) {
    this.#now = now;
    this.#onChange = onChange;
  }

  get faults(): readonly Fault[] {
    return this.#faults;
  }

  get calls(): number {
    return this.#calls;
  }

  get spentMs(): number {
    return this.#spentMs;
  }

  /** Functions that took longer than 50 ms, with their longest time in milliseconds. */
  get slow(): readonly { readonly what: string; readonly ms: number }[] {
    return Array.from(this.#slow, ([what, ms]) => ({ what, ms }));
  }

  ran(what: string, ms: number): void {
    this.#calls += 1;
    this.#spentMs += ms;
    const isListed = this.#slow.has(what) || this.#slow.size < maxSlow;
    if (ms > slowMs && isListed) this.#slow.set(what, Math.max(ms, this.#slow.get(what) ?? 0));
    this.#onChange();
  }

  failed(what: string, message: string): void {
    const fault = { at: this.#now(), what, message: message.slice(0, 2_000) };
    this.#faults = [...this.#faults, fault].slice(-maxFaults);
    this.#onChange();
  }
}
