/** What arrives from the tool worker: pieces put together, sizes bounded, floods recognised. */

import { marks, parseHeader, pieceChars, type Header } from '../../src/protocol/python.ts';
import type { Allowance } from './allowance.ts';

/** The tool worker broke the rules of the wire, and must go. */
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

/** Characters that a message with this header may have; 0: nobody waits for it. */
export type Expected = (header: Header) => number;

export class Inbox {
  readonly #allowance: Allowance;
  readonly #expected: Expected;
  #pieces: string[] = [];
  #room = 0;

  constructor(allowance: Allowance, expected: Expected) {
    this.#allowance = allowance;
    this.#expected = expected;
  }

  /**
   * Takes one message event's data.
   * @returns a whole message that somebody waits for, or null
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
    if (this.#expected(header) < text.length) return this.#ignore('an unexpected message');
    // One answer to a request is part of the request; everything else is paid for.
    if (header.t === 'stream' || header.t === 'step') this.#pay();
    return { header, payload: text.slice(payloadAt) };
  }

  #piece(text: string): null {
    if (text.length !== pieceChars)
      throw new Breach('protocol', 'sent a message part of the wrong size');
    if (this.#pieces.length === 0) {
      const parsed = parseHeader(text);
      this.#room = parsed ? this.#expected(parsed.header) : 0;
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
    if (!parsed || this.#expected(parsed.header) < whole.length)
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
