/** How many interpreters a page may have, by what its device has to give. */

export interface Device {
  /** Gigabytes, rounded down and capped by the browser; absent where it does not tell. */
  readonly deviceMemory?: number;
  readonly hardwareConcurrency?: number;
}

export interface Capacity {
  readonly cores: number;
  /** Interpreters at once: those of sessions, helpers, the spare, and those that start. */
  readonly most: number;
  /** Starts at once; a start keeps a core busy, and running calls come first. */
  readonly starts: number;
  /** Interpreters that work on `stateless` calls at once, beside those of the sessions. */
  readonly helpers: number;
}

/** Interpreters to a gigabyte: one takes about 100 MB, five times that at its limit. */
const perGigabyte = 2;
/** Where the browser does not tell; gigabytes and cores. */
const assumed = { memory: 4, cores: 2 };
const least = 3;

export function capacityOf({ deviceMemory, hardwareConcurrency }: Device): Capacity {
  const memory = deviceMemory ?? assumed.memory;
  const cores = Math.max(1, hardwareConcurrency ?? assumed.cores);
  // An idle interpreter costs memory alone; but more of them at work than a few to a core only wait for each other.
  const most = Math.max(least, Math.min(Math.floor(memory * perGigabyte), 8 + 2 * cores));
  return {
    cores,
    most,
    starts: Math.max(1, Math.floor(cores / 2)),
    helpers: Math.max(1, Math.min(cores - 1, most - 2)),
  };
}
