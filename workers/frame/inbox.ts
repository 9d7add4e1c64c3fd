/** Receives the tool worker's messages: joins their pieces, limits their sizes, and detects floods. */

import { marks, parseHeader, pieceChars, type Header } from '../../src/protocol/python.ts';

/** The tool worker broke the rules of the wire and must be terminated. */
export class Breach extends Error {
  readonly reason: 'flood' | 'protocol';
  constructor(reason: 'flood' | 'protocol', message: string) {
    super(message);
    this.reason = reason;
  }
}

export interface Message {
  readonly header: Header;
  readonly payload: string;
}

/** Limit of a message with this header, in characters; 0 if it was not requested. */
export type LimitOf = (header: Header) => number;

export class Inbox {
  readonly #allowance: Allowance;
  readonly #limitOf: LimitOf;
  #pieces: string[] = [];
  #room = 0;

  constructor(allowance: Allowance, limitOf: LimitOf) {
    this.#allowance = allowance;
    this.#limitOf = limitOf;
  }

  /**
   * Accepts the data of one message event.
   * @returns a complete, requested message; or null if pieces are missing or the message is ignored
   * @throws {Breach}
   */
  accept(data: unknown): Message | null {
    if (typeof data !== 'string') return this.#ignore('something that is not a string');
    switch (data[0]) {
      case marks.whole:
        return this.#whole(data.slice(1));
      case marks.piece:
        return this.#piece(data.slice(1));
      case marks.last:
        return this.#last(data.slice(1));
      default:
        return this.#ignore('an unknown string');
    }
  }

  #whole(text: string): Message | null {
    if (text.length > pieceChars)
      throw new Breach('protocol', 'sent several multi-part messages at once');
    const parsed = parseHeader(text);
    if (!parsed) return this.#ignore('a message without a header');
    const { header, payloadAt } = parsed;
    if (this.#limitOf(header) < text.length) return this.#ignore('an unexpected message');
    // The one answer to a request is free; other messages cost credit.
    if (header.t === 'stream' || header.t === 'step') this.#pay();
    return { header, payload: text.slice(payloadAt) };
  }

  #piece(text: string): null {
    if (text.length !== pieceChars)
      throw new Breach('protocol', 'sent a message part of the wrong size');
    if (this.#pieces.length === 0) {
      const parsed = parseHeader(text);
      this.#room = parsed ? this.#limitOf(parsed.header) : 0;
      if (this.#room === 0) throw new Breach('protocol', 'sent an unexpected long message');
      if (parsed?.header.t === 'stream') this.#pay();
    }
    this.#room -= text.length;
    if (this.#room < 0) throw new Breach('protocol', 'sent more than the limit in one message');
    this.#pieces.push(text);
    return null;
  }

  #last(text: string): Message | null {
    if (this.#pieces.length === 0 || text.length > pieceChars)
      throw new Breach('protocol', 'sent the end of a message without its start');
    const whole = this.#pieces.join('') + text;
    this.#pieces = [];
    const parsed = parseHeader(whole);
    if (!parsed || this.#limitOf(parsed.header) < whole.length)
      throw new Breach('protocol', 'sent more than the limit in one message');
    return { header: parsed.header, payload: whole.slice(parsed.payloadAt) };
  }

  #ignore(what: string): null {
    this.#pay(what);
    return null;
  }

  #pay(what = 'updates'): void {
    if (!this.#allowance.spend())
      throw new Breach('flood', `sent too many messages (the last was ${what})`);
  }
}

/** Messages: capacity of the bucket, and what it gains per second and per call. */
const capacity = 300;
const perSecond = 60;
const perCall = 4;

export class Allowance {
  readonly #now: () => number;
  #tokens = capacity;
  #refilledAt: number;

  constructor(now: () => number) {
    this.#now = now;
    this.#refilledAt = now();
  }

  /** Adds the tokens of one call. */
  earn(): void {
    this.#tokens = Math.min(capacity, this.#tokens + perCall);
  }

  /** Takes the token of one message. @returns false if none is left: the tool worker floods */
  spend(): boolean {
    const now = this.#now();
    this.#tokens = Math.min(capacity, this.#tokens + ((now - this.#refilledAt) / 1000) * perSecond);
    this.#refilledAt = now;
    this.#tokens -= 1;
    return this.#tokens >= 0;
  }
}
