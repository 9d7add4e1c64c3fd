/** Passes the asks of a tool worker's calls on to the page at a limited rate; each is answered once. */

import type { Ask } from '../../src/protocol/ask.ts';

/** Limit of open asks. An honest tool worker stays below it (workers/python/asks.ts). */
const mostOpen = 64;
/** Asks: how many may follow without a pause, and per second after that. */
const burst = 200;
const perSecond = 200;

interface Open {
  readonly id: number;
  readonly n: number;
  readonly ask: Ask;
}

export interface Clock {
  now(): number;
  after(ms: number, then: () => void): void;
}

const wallClock: Clock = {
  now: () => performance.now(),
  after: (ms, then) => setTimeout(then, ms),
};

export class Asks {
  readonly #send: (id: number, n: number, ask: Ask) => void;
  readonly #clock: Clock;
  /** Keys of unanswered asks, passed on or waiting. */
  readonly #open = new Set<string>();
  #waiting: Open[] = [];
  #tokens = burst;
  #at: number;
  #hasTimer = false;

  /** @param send passes an ask on to the page */
  constructor(send: (id: number, n: number, ask: Ask) => void, clock: Clock = wallClock) {
    this.#send = send;
    this.#clock = clock;
    this.#at = clock.now();
  }

  /** @returns false if the tool worker breaks the rules: too many open asks, or a number that is in use */
  ask(id: number, n: number, ask: Ask): boolean {
    const key = keyOf(id, n);
    if (this.#open.size >= mostOpen || this.#open.has(key)) return false;
    this.#open.add(key);
    this.#waiting.push({ id, n, ask });
    this.#sendWaiting();
    return true;
  }

  /** Marks an ask as answered. @returns false if it is not open */
  answer(id: number, n: number): boolean {
    return this.#open.delete(keyOf(id, n));
  }

  /** Drops the asks of a call that has ended. */
  end(id: number): void {
    this.#waiting = this.#waiting.filter((open) => open.id !== id);
    const ofCall = keyOf(id, '');
    for (const key of this.#open) if (key.startsWith(ofCall)) this.#open.delete(key);
  }

  #sendWaiting(): void {
    const now = this.#clock.now();
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#at) / 1000) * perSecond);
    this.#at = now;
    while (this.#tokens >= 1) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#tokens -= 1;
      this.#send(next.id, next.n, next.ask);
    }
    if (this.#hasTimer || this.#waiting.length === 0) return;
    this.#hasTimer = true;
    this.#clock.after(1000 / perSecond, () => {
      this.#hasTimer = false;
      this.#sendWaiting();
    });
  }
}

function keyOf(id: number, n: number | ''): string {
  return `${id}/${n}`;
}
