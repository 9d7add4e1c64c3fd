/** Long texts on their way between threads: to the page in pieces, and to Python as bytes. */

import { isRecord } from '../spec/guards.ts';

/** Longer texts are sent in pieces of this length, in characters. One piece is received well within a frame. */
export const textPieceChars = 512 * 1024;

/** A piece of a text; `nth` is the text's index among all texts of its message, in the order of their fields. */
export interface TextPiece {
  readonly nth: number;
  readonly text: string;
}

/**
 * Returns the message with its long texts emptied, and their pieces in order, which are sent before it. A message of
 * several megabytes would block the receiving page, and a blocked page cannot even be stopped by its user.
 */
export function liftTexts<T>(message: T): { message: T; pieces: readonly TextPiece[] } {
  if (!hasLongText(message)) return { message, pieces: [] };
  const pieces: TextPiece[] = [];
  const emptied = mapTexts(message, (text, nth) => {
    if (text.length <= textPieceChars) return text;
    for (let from = 0; from < text.length; from += textPieceChars)
      pieces.push({ nth, text: text.slice(from, from + textPieceChars) });
    return '';
  });
  return { message: emptied, pieces };
}

function hasLongText(value: unknown): boolean {
  if (typeof value === 'string') return value.length > textPieceChars;
  if (typeof value !== 'object' || value === null) return false;
  for (const key in value) if (hasLongText((value as Record<string, unknown>)[key])) return true;
  return false;
}

/** Puts the texts that were sent before the message back into their places. */
export function putTexts<T>(message: T, texts: ReadonlyMap<number, string>): T {
  return texts.size === 0 ? message : mapTexts(message, (text, nth) => texts.get(nth) ?? text);
}

/** A copy of plain data with `map` applied to each text. */
function mapTexts<T>(data: T, map: (text: string, nth: number) => string): T {
  let nth = -1;
  const copy = (value: unknown): unknown => {
    if (typeof value === 'string') return map(value, (nth += 1));
    if (Array.isArray(value)) return value.map(copy);
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, copy(one)]));
  };
  return copy(data) as T;
}

/**
 * A text, or its UTF-8. As bytes, a long text passes from thread to thread without a copy, and Python reads it about ten
 * times as fast as a string, which Pyodide converts character by character.
 */
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
