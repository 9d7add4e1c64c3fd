/**
 * Long texts of a message go ahead of it in pieces: one message of megabytes holds up whoever takes it, and a page
 * that is held up does not even show that it can be stopped.
 */

import { isRecord } from '../spec/guards.ts';

/** Characters beyond which a text goes ahead, and of each of its pieces: taken well within a frame. */
export const textPieceChars = 512 * 1024;

/** A piece of the text that is the `nth` of its message, counted in the order of its fields. */
export interface TextPiece {
  readonly nth: number;
  readonly text: string;
}

/** A message without its long texts, and these in pieces, in order. */
export function liftTexts<T>(message: T): { message: T; pieces: readonly TextPiece[] } {
  const pieces: TextPiece[] = [];
  const without = mapTexts(message, (text, nth) => {
    if (text.length <= textPieceChars) return text;
    for (let from = 0; from < text.length; from += textPieceChars)
      pieces.push({ nth, text: text.slice(from, from + textPieceChars) });
    return '';
  });
  return { message: pieces.length === 0 ? message : without, pieces };
}

/** The message with the texts that went ahead of it, each where it was. */
export function putTexts<T>(message: T, texts: ReadonlyMap<number, string>): T {
  return texts.size === 0 ? message : mapTexts(message, (text, nth) => texts.get(nth) ?? text);
}

/** A copy of plain data in which each text is what `put` makes of it. */
function mapTexts<T>(data: T, put: (text: string, nth: number) => string): T {
  let nth = -1;
  const copy = (value: unknown): unknown => {
    if (typeof value === 'string') return put(value, (nth += 1));
    if (Array.isArray(value)) return value.map(copy);
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, copy(one)]));
  };
  return copy(data) as T;
}
