/**
 * Long texts that the page sends to Python. As bytes, they pass from thread to thread without a copy, and Python reads
 * them about ten times as fast as a string, which Pyodide converts character by character.
 */

/** A text, or its UTF-8. */
export type TextForPython = string | Uint8Array<ArrayBuffer>;

/**
 * Length from which texts are sent as bytes, in characters: passing bytes to Python takes some time
 * as well.
 */
const longChars = 10_000;
/**
 * Length up to which texts are sent as bytes, in characters: encoding longer ones would block the
 * page for too long.
 */
const maxChars = 4_000_000;

/** The text as it is sent. A text with half of a surrogate pair, which UTF-8 cannot express, stays a string. */
export function textForPython(text: string): TextForPython {
  if (text.length < longChars || text.length > maxChars || !text.isWellFormed()) return text;
  const encoder = new TextEncoder();
  // Chromium's `encode` takes three to four times as long as `encodeInto`, which needs the length
  // in bytes. For ASCII, as most texts are, it equals the number of characters; only a text that
  // does not fit is encoded by `encode`.
  const start = new Uint8Array(text.length);
  const { read, written } = encoder.encodeInto(text, start);
  if (read === text.length) return start;
  const rest = encoder.encode(text.slice(read));
  const bytes = new Uint8Array(written + rest.length);
  bytes.set(start.subarray(0, written));
  bytes.set(rest, written);
  return bytes;
}

export function bufferOf(text: TextForPython): ArrayBuffer[] {
  return typeof text === 'string' ? [] : [text.buffer];
}

/** The text that was sent. */
export function textFromPage(text: TextForPython): string {
  // A byte order mark is part of the text, as it is for Python.
  return typeof text === 'string'
    ? text
    : new TextDecoder('utf-8', { ignoreBOM: true }).decode(text);
}
