/** What calls of one tool worker ask of the page: passed on at a bounded pace, answered once each. */

import type { Ask } from '../../src/protocol/ask.ts';

/** Questions at once; the tool worker itself holds back what is more. */
const mostOpen = 64;
/** Questions that may follow one another without a pause, and a second after that. */
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
  after: (ms, then) => {
    setTimeout(then, ms);
  },
};

export class Asks {
  readonly #tell: (id: number, n: number, ask: Ask) => void;
  readonly #clock: Clock;
  /** By call and number; those passed on and those that wait. */
  readonly #open = new Set<string>();
  #waiting: Open[] = [];
  #tokens = burst;
  #at: number;
  #timed = false;

  /** @param tell passes a question on to the page */
  constructor(tell: (id: number, n: number, ask: Ask) => void, clock: Clock = wallClock) {
    this.#tell = tell;
    this.#clock = clock;
    this.#at = clock.now();
  }

  /** @returns false where no worker of ours would ask this: more at once than it may, or a number that is in use */
  ask(id: number, n: number, ask: Ask): boolean {
    const key = keyOf(id, n);
    if (this.#open.size >= mostOpen || this.#open.has(key)) return false;
    this.#open.add(key);
    this.#waiting.push({ id, n, ask });
    this.#pass();
    return true;
  }

  /** @returns whether the tool worker still waits for this answer */
  answer(id: number, n: number): boolean {
    return this.#open.delete(keyOf(id, n));
  }

  /** The call is over: nobody waits for what it has asked. */
  end(id: number): void {
    this.#waiting = this.#waiting.filter((open) => open.id !== id);
    const ofCall = keyOf(id, '');
    for (const key of this.#open) if (key.startsWith(ofCall)) this.#open.delete(key);
  }

  #pass(): void {
    const now = this.#clock.now();
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#at) / 1000) * perSecond);
    this.#at = now;
    while (this.#tokens >= 1) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#tokens -= 1;
      this.#tell(next.id, next.n, next.ask);
    }
    if (this.#timed || this.#waiting.length === 0) return;
    this.#timed = true;
    this.#clock.after(1000 / perSecond, () => {
      this.#timed = false;
      this.#pass();
    });
  }
}

function keyOf(id: number, n: number | ''): string {
  return `${id}/${n}`;
}
