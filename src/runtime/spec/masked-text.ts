/** Masks a text that arrives in pieces. */

import { SecretMask } from './secret-mask.ts';

/** Text that may begin a secret is held back until the next piece. */
export class MaskedText {
  readonly #mask: SecretMask;
  readonly #encoder = new TextEncoder();
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  /** The first half of a surrogate pair whose other half is in the next piece. */
  #half = '';

  constructor(mask: SecretMask) {
    // Another text may be using this mask, which holds back bytes of its own.
    this.#mask = new SecretMask(mask);
  }

  /** Whether any part of the text was masked. */
  get hasMasked(): boolean {
    return this.#mask.hasMasked;
  }

  next(piece: string): string {
    const text = this.#half + piece;
    this.#half = /[\uD800-\uDBFF]$/.exec(text)?.[0] ?? '';
    const whole = this.#encoder.encode(text.slice(0, text.length - this.#half.length));
    return this.#decoder.decode(this.#mask.next(whole), { stream: true });
  }

  /**
   * Returns the text that is still held back; empty if there is none.
   *
   * @param options.mayBeCut whether to mask the beginning of a secret at its end, too
   */
  rest(options?: { readonly mayBeCut: boolean }): string {
    return this.#decoder.decode(this.#mask.rest(options)) + this.#half;
  }
}
