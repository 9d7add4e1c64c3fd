/** Sends to the page what calls stream and ask, and how they end, at a rate that the page can handle. */

import type { FromBroker, OrLost, PythonOutcome } from '../../src/runtime/protocol/frame.ts';
import { liftTexts, type TextPiece } from '../../src/runtime/protocol/long-texts.ts';
import { defaultLimits } from '../../src/runtime/spec/limits.ts';
import type { Stream } from '../../src/runtime/spec/result.ts';
import type { Ask } from '../../src/runtime/protocol/ask.ts';

/** Limit of updates in one batch; the page shows the latest anyway. */
const batchUpdates = 200;
/** Limit of open asks. An honest tool worker stays below it (workers/python/outgoing.ts). */
const maxOpen = 64;
/** Asks: how many may follow without a pause, and per second after that. */
const burst = 200;
const perSecond = 200;

/** Sends one batch per call at a time; later batches are merged until the page is ready. */
export class LiveStreams {
  readonly #send: (id: number, stream: Stream) => void;
  /** The calls that the page watches: whether the next batch may be sent (`credit`), and the batch that waits. */
  readonly #calls = new Map<number, { credit: boolean; waiting: Stream | null }>();

  constructor(send: (id: number, stream: Stream) => void) {
    this.#send = send;
  }

  begin(id: number): void {
    this.#calls.set(id, { credit: true, waiting: null });
  }

  push(id: number, stream: Stream): void {
    const call = this.#calls.get(id);
    if (!call) return;
    call.waiting = call.waiting ? merge(call.waiting, stream) : stream;
    // @mutant the credit of a live stream => without if (call.credit)
    if (call.credit) this.#flush(id, call);
  }

  /** Records that the page has processed the last batch of this call. */
  credit(id: number): void {
    const call = this.#calls.get(id);
    if (!call) return;
    call.credit = true;
    this.#flush(id, call);
  }

  /** Ends a call. Its result contains everything streamed, so the waiting batch is dropped. */
  end(id: number): void {
    this.#calls.delete(id);
  }

  #flush(id: number, call: { credit: boolean; waiting: Stream | null }): void {
    if (!call.waiting) return;
    const stream = call.waiting;
    call.waiting = null;
    call.credit = false;
    this.#send(id, stream);
  }
}

/** Merges two batches within the limits: the first updates and the latest (the rest are counted), and the first output. */
export function merge(a: Stream, b: Stream): Stream {
  const updates = [...a.updates, ...b.updates];
  const over = Math.max(0, updates.length - batchUpdates);
  if (over > 0) updates.splice(batchUpdates - 1, over);
  const room = defaultLimits.outputChars;
  return {
    updates,
    dropped: a.dropped + b.dropped + over,
    out: (a.out + b.out).slice(0, room),
    err: (a.err + b.err).slice(0, room),
    log: [...a.log, ...b.log].slice(-1_000),
  };
}

/** Number of pieces of one outcome that may be on the way to the page. */
const piecesAtOnce = 2;

interface Sending {
  readonly pieces: TextPiece[];
  readonly outcome: OrLost<PythonOutcome>;
}

/**
 * Sends long texts first, in pieces. At most two are on the way, so that the page receives one while the next is written;
 * each further one is sent when the page has processed one.
 */
export class Outcomes {
  readonly #post: (message: FromBroker) => void;
  readonly #sending = new Map<number, Sending>();

  constructor(post: (message: FromBroker) => void) {
    this.#post = post;
  }

  send(id: number, whole: OrLost<PythonOutcome>): void {
    const { message: outcome, pieces } = liftTexts(whole);
    this.#sending.set(id, { pieces: [...pieces], outcome });
    for (let n = 0; n < piecesAtOnce; n += 1) this.next(id);
  }

  /** Records that the page has processed a piece of this call's outcome, and sends the next one. */
  next(id: number): void {
    const sending = this.#sending.get(id);
    if (!sending) return;
    const piece = sending.pieces.shift();
    if (piece) this.#post({ type: 'text', id, piece });
    if (sending.pieces.length > 0) return;
    this.#sending.delete(id);
    this.#post({ type: 'outcome', id, outcome: sending.outcome });
  }
}

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

/** Passes asks on to the page; each is answered once. */
export class Asks {
  readonly #send: (id: number, n: number, ask: Ask) => void;
  readonly #clock: Clock;
  /** Keys of unanswered asks, passed on or waiting. */
  readonly #open = new Set<string>();
  /** Asks that are not passed on yet. */
  #waiting: Open[] = [];
  /** How many asks may be passed on now, as of `#at`. */
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
    // @mutant questions that a tool worker asks at once => this.#open.size >= maxOpen || this.#open.has ->
    //   this.#open.has
    if (this.#open.size >= maxOpen || this.#open.has(key)) return false;
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
