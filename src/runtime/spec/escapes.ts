/** Decodes the escape sequences of URLs, JSON, JavaScript, HTML and mail, in bytes of which more may follow. */

/** What is returned if there is nothing of the kind, and if more bytes are needed to tell. */
export const no = -1;
export const unsure = -2;

const percent = 0x25;
const backslash = 0x5c;
const ampersand = 0x26;
const equals = 0x3d;
/** Bytes that begin an escape sequence. */
export const escapes = [percent, backslash, ampersand, equals];
/** HTML's names for the characters that keys may contain, each with its character. */
const named =
  `amp& lt< gt> quot" apos' plus+ sol/ bsol\\ equals= colon: semi; period. comma, lowbar_ num# dollar$ percnt% excl! ` +
  'quest? commat@ ast* nbsp\xa0 lpar( rpar) lsqb[ rsqb] lcub{ rcub} verbar| grave` hat^';
const entities = new Map(
  named.split(' ').map((one) => [one.slice(0, -1), one.charCodeAt(one.length - 1)]),
);
const longestEntity = 30;

/**
 * Decodes an escape sequence of URLs, JSON, JavaScript, HTML or mail. Line breaks that their readers remove have the value 0.
 * @param times how often a percent sign may have been encoded, or how many backslashes there may be
 * @returns the {@link packEscape} value and length, {@link no} or {@link unsure}
 */
export function escapeAt(bytes: Uint8Array, at: number, times: number): number {
  const second = bytes[at + 1];
  if (second === undefined) return unsure;
  switch (bytes[at]) {
    case percent: {
      let from = at + 1;
      // “25” stands for a percent sign that was itself encoded, as in “%2520”.
      for (let time = 1; time < times; time += 1) {
        if (bytes[from] !== 0x32 || bytes[from + 1] !== 0x35) break;
        const inner = hexAt(bytes, from + 2, 2, 0);
        if (inner === unsure) return unsure;
        if (inner === no) break;
        from += 2;
      }
      // “%u0041”, as JavaScript’s `escape` writes it.
      if (bytes[from] === 0x75) return hexAt(bytes, from + 1, 4, from + 1 - at);
      return hexAt(bytes, from, 2, from - at);
    }
    case equals:
      // “=41” of mail; a sign at the end of a line is removed with the line break.
      if (second === 13) return packEscape(0, bytes[at + 2] === 10 ? 3 : 2);
      return second === 10 ? packEscape(0, 2) : hexAt(bytes, at + 1, 2, 1);
    case backslash: {
      let from = at + 1;
      while (bytes[from] === backslash && from - at < times) from += 1;
      return backslashAt(bytes, from, from - at);
    }
    default:
      return entityAt(bytes, at);
  }
}

/** Packs the value of an escape sequence and its length (below 32) into one number, without allocating an object. */
function packEscape(value: number, length: number): number {
  return value * 32 + length;
}

export const escapedValue = (escape: number): number => escape >> 5;
export const escapeLength = (escape: number): number => escape & 31;

/** @param before number of backslashes @returns as {@link escapeAt} */
function backslashAt(bytes: Uint8Array, from: number, before: number): number {
  const byte = bytes[from];
  if (byte === undefined) return unsure;
  // “\x41”
  if (byte === 0x78) return hexAt(bytes, from + 1, 2, before + 1);
  // “\n”, “\r”, a line break that is removed, and characters that stand for themselves
  if (byte !== 0x75) {
    const value = byte === 0x6e ? 10 : byte === 0x72 ? 13 : byte === 10 ? 0 : byte;
    return packEscape(value, before + 1);
  }
  // “\u0041”, or “\u{41}” below
  if (bytes[from + 1] !== 0x7b) return hexAt(bytes, from + 1, 4, before + 1);
  const end = bytes.subarray(0, from + 9).indexOf(0x7d, from);
  if (end < 0) return bytes.length < from + 9 ? unsure : no;
  const value = hexAt(bytes, from + 2, end - from - 2, 0);
  return value < 0 ? value : packEscape(escapedValue(value), before + end + 1 - from);
}

/** @param before length of what introduces the digits @returns as {@link escapeAt} */
function hexAt(bytes: Uint8Array, from: number, digits: number, before: number): number {
  let value = 0;
  for (let at = from; at < from + digits; at += 1) {
    const byte = bytes[at];
    if (byte === undefined) return unsure;
    const digit = hexDigits[byte] ?? 16;
    if (digit > 15) return no;
    value = value * 16 + digit;
  }
  return packEscape(value, before + digits);
}

/** Values of hexadecimal digits, by character code; 16 for others. */
const hexDigits = Uint8Array.from({ length: 256 }, (_, code) => {
  const digit = parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(digit) ? 16 : digit;
});

/** @returns as {@link escapeAt} */
function entityAt(bytes: Uint8Array, at: number): number {
  const max = at + longestEntity;
  let end = at + 1;
  let value = 0;
  // Without a number sign, a name follows, and a semicolon.
  if (bytes[end] !== 0x23) {
    while (end < max && isLetter(bytes[end])) end += 1;
    if (bytes[end] === undefined) return unsure;
    const name = bytes[end] === 0x3b ? String.fromCharCode(...bytes.subarray(at + 1, end)) : '';
    const code = entities.get(name.toLowerCase());
    return code === undefined ? no : packEscape(code, end + 1 - at);
  }
  // “&#65;”, or “&#x41;” in hexadecimal digits
  const base = ((bytes[end + 1] ?? 0) | 32) === 0x78 ? 16 : 10;
  const from = base === 16 ? end + 2 : end + 1;
  for (end = from; end < max; end += 1) {
    const digit = hexDigits[bytes[end] ?? 0] ?? 16;
    if (digit >= base) break;
    value = value * base + digit;
  }
  // More digits or a semicolon may follow.
  if (bytes[end] === undefined) return unsure;
  if (end === from || value > 65_535) return no;
  return packEscape(value, end + (bytes[end] === 0x3b ? 1 : 0) - at);
}

function isLetter(byte = 0): boolean {
  return (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;
}
