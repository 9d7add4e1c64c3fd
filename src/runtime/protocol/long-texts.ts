/**
 * Sends the long texts of a message before it, in pieces. A message of several megabytes would block the receiving
 * page, and a blocked page cannot even be stopped by its user.
 */

import { isRecord } from '../spec/guards.ts';

/** Longer texts are sent in pieces of this length, in characters. One piece is received well within a frame. */
export const textPieceChars = 512 * 1024;

/** A piece of a text; `nth` is the text's index among all texts of its message, in the order of their fields. */
export interface TextPiece {
  readonly nth: number;
  readonly text: string;
}

/** The message with its long texts emptied, and their pieces in order. */
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
