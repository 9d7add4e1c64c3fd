/**
 * Masks secrets in what hosts answer: as they are, reversed, and in the usual encodings. Each masked byte becomes an
 * asterisk, so that lengths stay as declared.
 */

// `escapeAt` returns a value and a length in one number, or `no` or `unsure`, which are negative.
import { escapeAt, escapedValue, escapeLength, escapes, no, unsure } from './escapes.ts';

/** A text to find, as folded bytes. */
interface Pattern {
  readonly bytes: Uint8Array;
  readonly isBase64: boolean;
  /**
   * Bytes that may stand between the characters: line breaks in base64, and separators in
   * hexadecimal.
   */
  readonly breaks: Uint8Array;
}

/**
 * What follows the bytes: `more`, which may complete a secret; nothing, as they are the `whole`; or nothing because they may
 * have been `cut` within a secret.
 */
type Ending = 'more' | 'whole' | 'cut';

/** Characters at the end that are masked if a secret begins with them. Fewer tell little, and end many other texts. */
const leastCut = 8;

/** Zeros of UTF-16, line breaks or separators that may follow each other within a secret. */
const maxSkipped = 12;
/** Limit of nested encodings of a percent sign, and of backslashes before an escape: JSON in JSON in JSON has seven. */
const maxTimes = 7;

const asterisk = 0x2a;
const isEscape = tableOf(escapes);
const nothing = tableOf([]);
/** Line breaks, and what indents the next line. */
const lineBreaks = tableOf([9, 10, 13, 0x20]);
/** Line breaks, and the characters that stand between the bytes of a dump: ` `, `:`, `,`, `-`. */
// @mutant a secret is masked in a dump => tableOf([9, 10, 13, 0x20, 0x3a, 0x2c, 0x2d]) -> nothing
const separators = tableOf([9, 10, 13, 0x20, 0x3a, 0x2c, 0x2d]);

/** Patterns by their first characters. */
class Patterns {
  /** Patterns by first byte. */
  readonly byByte: readonly Pattern[][] = Array.from({ length: 256 }, () => []);
  /**
   * Whether a pattern may begin with two bytes, by these bytes. Most bytes need no further look.
   */
  readonly byPair = new Uint8Array(65_536);

  constructor(secrets: readonly string[]) {
    for (const pattern of secrets.flatMap(patternsOf)) {
      const [first = 0, second = 0] = pattern.bytes;
      const seconds = [...spellings(second, pattern.isBase64), 0, ...escapes];
      for (const byte of spellings(first, pattern.isBase64)) {
        this.byByte[byte]?.push(pattern);
        for (const next of seconds) this.byPair[byte * 256 + next] = 1;
      }
    }
    for (const byte of escapes) this.byPair.fill(1, byte * 256, byte * 256 + 256);
  }
}

/** Patterns of recent secrets, kept because creating them takes longer than masking a short text. */
const lastPatterns = new Map<string, Patterns>();
const maxLastPatterns = 8;

function patternsFor(secrets: readonly string[]): Patterns {
  const key = JSON.stringify(secrets);
  const known = lastPatterns.get(key);
  if (known !== undefined) return known;
  if (lastPatterns.size >= maxLastPatterns) lastPatterns.clear();
  const patterns = new Patterns(secrets);
  lastPatterns.set(key, patterns);
  return patterns;
}

export class SecretMask {
  readonly #patterns: Patterns;
  /** The end of the input, if a secret may begin there. */
  #held: Uint8Array<ArrayBuffer> = new Uint8Array();
  /** Number of secrets that were found. */
  #found = 0;

  /** @param secrets the longest first; or a mask of the same secrets */
  constructor(secrets: readonly string[] | SecretMask) {
    this.#patterns = secrets instanceof SecretMask ? secrets.#patterns : patternsFor(secrets);
  }

  /** Whether a secret was found since this mask was created. */
  get hasMasked(): boolean {
    return this.#found > 0;
  }

  /** Masks the next bytes of a body, in place. @returns those that are complete; the others follow with the next call */
  next(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    let all = bytes;
    if (this.#held.length > 0) {
      all = new Uint8Array(this.#held.length + bytes.length);
      all.set(this.#held);
      all.set(bytes, this.#held.length);
    }
    const end = this.#mask(all, 'more');
    this.#held = all.slice(end);
    return all.subarray(0, end);
  }

  /**
   * Returns the rest of a body.
   *
   * @param options.mayBeCut whether to mask the beginning of a secret at its end, too
   */
  rest({ mayBeCut = false } = {}): Uint8Array<ArrayBuffer> {
    const rest = this.#held;
    this.#held = new Uint8Array();
    this.#maskWhole(rest, mayBeCut);
    return rest;
  }

  /** Masks the text of a header or message. @param options as for {@link rest} */
  text(text: string, { mayBeCut = false } = {}): string {
    const bytes = new TextEncoder().encode(text);
    return this.#maskWhole(bytes, mayBeCut) ? new TextDecoder().decode(bytes) : text;
  }

  /** Masks complete bytes in place. @returns whether any byte was masked */
  #maskWhole(bytes: Uint8Array, mayBeCut: boolean): boolean {
    // The added zero ends an escape sequence that could otherwise go on, such as “&#65”.
    const ended = new Uint8Array(bytes.length + 1);
    ended.set(bytes);
    const before = this.#found;
    // @mutant the beginning of a secret is masked where a text breaks off => mayBeCut ? 'cut' : 'whole' -> 'whole'
    this.#mask(ended, mayBeCut ? 'cut' : 'whole');
    if (this.#found === before) return false;
    bytes.set(ended.subarray(0, bytes.length));
    return true;
  }

  /** Masks bytes in place; the last byte is a zero unless more follow. @returns where a secret may begin whose end is missing */
  #mask(bytes: Uint8Array, ending: Ending): number {
    const { byPair } = this.#patterns;
    const last = bytes.length - 1;
    const isCut = ending === 'cut';
    // Nothing can be cut off after the zero that ends the bytes.
    const unended = bytes.subarray(0, last);
    for (let at = 0; at <= last; at += 1) {
      const first = bytes[at] ?? 0;
      if (at < last && byPair[first * 256 + (bytes[at + 1] ?? 0)] === 0) continue;
      let end = this.#endAt(first, bytes, at, isCut ? 'whole' : ending);
      if (end === unsure) return at;
      if (end === no && isCut) end = this.#endAt(first, unended, at, 'cut');
      if (end === no) continue;
      bytes.fill(asterisk, at, end);
      this.#found += 1;
      at = Math.max(end, at + 1) - 1;
    }
    return bytes.length;
  }

  /** @returns the end of the longest secret that begins here, {@link no} or {@link unsure} */
  #endAt(first: number, bytes: Uint8Array, at: number, ending: Ending): number {
    let end = this.#endFrom(first, bytes, at, ending);
    if (end === unsure || isEscape[first] === 0) return end;
    // “%2541” is a percent sign before “41”, or an “A” that was encoded twice: both are tried. `before` was tried last.
    let before: number = first;
    for (const times of [1, maxTimes]) {
      const escape = escapeAt(bytes, at, times);
      if (escape === unsure && ending === 'more') return unsure;
      if (escape < 0 || escapedValue(escape) === before) continue;
      before = escapedValue(escape);
      const found = this.#endFrom(before, bytes, at, ending);
      if (found === unsure) return unsure;
      end = Math.max(end, found);
    }
    return end;
  }

  /** @returns the end of the longest secret whose first byte, decoded, is `byte` */
  #endFrom(byte: number, bytes: Uint8Array, at: number, ending: Ending): number {
    let end = no;
    for (const pattern of this.#patterns.byByte[byte] ?? []) {
      const found = match(pattern, 0, bytes, at, ending);
      // @mutant a secret is masked across pieces => removed
      if (found === unsure) return unsure;
      end = Math.max(end, found);
    }
    return end;
  }
}

/** Masks a text that arrives in pieces. Text that may begin a secret is held back until the next piece. */
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

/** @returns the end of the pattern's rest in the bytes, {@link no} or {@link unsure} */
function match(
  pattern: Pattern,
  from: number,
  bytes: Uint8Array,
  start: number,
  ending: Ending,
): number {
  const { isBase64, breaks } = pattern;
  let at = start;
  let skipped = 0;
  for (let n = from; n < pattern.bytes.length;) {
    const byte = bytes[at];
    if (byte === undefined) return endWithin(n, bytes, ending);
    // In UTF-16, a zero stands beside each ASCII byte.
    const mayZero = n > 0 && skipped < maxSkipped;
    const mayBreak = n > 1 && mayZero;
    if ((mayZero && byte === 0) || (mayBreak && breaks[byte] === 1)) {
      at += 1;
      skipped += 1;
      continue;
    }
    const wanted = pattern.bytes[n];
    if (isEscape[byte] === 1) {
      // A percent sign or backslash of the secret itself is not one of another encoding.
      // @mutant a secret is masked whose escapes were escaped again => wanted === byte ? 1 : maxTimes -> 1
      const escape = escapeAt(bytes, at, wanted === byte ? 1 : maxTimes);
      const within = escape === unsure ? endWithin(n + 1, bytes, ending) : no;
      if (within !== no) return within;
      // @mutant escapes of a secret are masked => = 0 -> Infinity
      if (escape >= 0) {
        const value = escapedValue(escape);
        const next = at + escapeLength(escape);
        const fits = foldByte(value, isBase64) === wanted;
        // The secret itself has a character that begins an escape sequence.
        if (fits && foldByte(byte, isBase64) === wanted) {
          const found = match(pattern, n + 1, bytes, next, ending);
          if (found !== no) return found;
        } else if (fits || (mayZero && value === 0) || (mayBreak && breaks[value] === 1)) {
          at = next;
          n += fits ? 1 : 0;
          skipped = fits ? 0 : skipped + 1;
          continue;
        }
      }
    }
    if (foldByte(byte, isBase64) !== wanted) return no;
    at += 1;
    n += 1;
    skipped = 0;
  }
  return at;
}

/** @returns as {@link match}, if the bytes end after this number of characters of a secret */
function endWithin(matched: number, bytes: Uint8Array, ending: Ending): number {
  if (ending === 'more') return unsure;
  return ending === 'cut' && matched >= leastCut ? bytes.length : no;
}

/** A byte without case, and for base64 with one alphabet for both of its forms. */
function foldByte(byte: number, isBase64: boolean): number {
  if (byte >= 0x41 && byte <= 0x5a) return byte + 32;
  if (isBase64 && byte === 0x2d) return 0x2b;
  return isBase64 && byte === 0x5f ? 0x2f : byte;
}

/** All bytes that fold to this one. */
function spellings(byte: number, isBase64: boolean): number[] {
  return Array.from({ length: 256 }, (_, one) => one).filter(
    (one) => foldByte(one, isBase64) === byte,
  );
}

function patternsOf(secret: string): Pattern[] {
  const utf8 = new TextEncoder().encode(secret);
  // Headers are sent in Latin-1.
  const latin1 = Uint8Array.from(secret, (character) => character.charCodeAt(0) & 255);
  const forms = utf8.length === latin1.length ? [utf8] : [utf8, latin1];
  return forms.flatMap((bytes): Pattern[] => [
    pattern(bytes, nothing),
    pattern(bytes.toReversed(), nothing),
    pattern(
      ascii(Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')),
      separators,
    ),
    // A secret that is encoded with other text can begin at each of the three bytes that base64
    // encodes together.
    // @mutant a secret is masked in base64 after other text => without , 1, 2
    ...[0, 1, 2].map((offset) => pattern(base64(bytes, offset), lineBreaks)),
  ]);
}

function pattern(bytes: Uint8Array, breaks: Uint8Array): Pattern {
  const isBase64 = breaks === lineBreaks;
  return { bytes: bytes.map((byte) => foldByte(byte, isBase64)), isBase64, breaks };
}

/** The characters of base64 that depend on these bytes only, if `offset` bytes come before them. */
function base64(bytes: Uint8Array, offset: number): Uint8Array {
  const before = '\0'.repeat(offset);
  const text = btoa(before + Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  const bits = 8 * (offset + bytes.length);
  return ascii(text.slice(Math.ceil((8 * offset) / 6), Math.floor(bits / 6)));
}

function ascii(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function tableOf(bytes: readonly number[]): Uint8Array {
  const table = new Uint8Array(256);
  for (const byte of bytes) table[byte] = 1;
  return table;
}
