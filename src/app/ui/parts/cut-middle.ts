/** Cuts the middle out of long texts. */

import { pieceEnd } from './visible-text.ts';

/** Cuts a long text to its start and end. @param head characters of the start @param tail characters of the end */
export function cutMiddle(text: string, head: number, tail: number): string {
  if (text.length <= head + tail) return text;
  const from = text.length - tail;
  // Half a surrogate pair would be shown as a replacement character.
  const splits = /[\udc00-\udfff]/.test(text.charAt(from));
  return `${text.slice(0, pieceEnd(text, 0, head))}…${text.slice(from + (splits ? 1 : 0))}`;
}
