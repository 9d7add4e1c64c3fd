/** A long text in less room: its beginning and its end, which tell an address from others. */

import { pieceEnd } from './pieces.ts';

/**
 * @param head characters kept of the beginning
 * @param tail characters kept of the end
 */
export function cutMiddle(text: string, head: number, tail: number): string {
  if (text.length <= head + tail) return text;
  const from = text.length - tail;
  // Half of a surrogate pair would be shown as an odd character of its own.
  const splits = /[\udc00-\udfff]/.test(text.charAt(from));
  return `${text.slice(0, pieceEnd(text, 0, head))}…${text.slice(from + (splits ? 1 : 0))}`;
}
