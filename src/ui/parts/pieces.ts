/** Cuts long texts: into pieces that the page renders one after the other, or to their beginning and end. */

/** Characters of one piece: laid out within a frame where the machine is slow, too (100,000 took one 46 ms). */
export const pieceChars = 32_000;

/**
 * The text in pieces of about `size` characters, broken after a line break where one is near the end
 * of a piece, and never inside a surrogate pair. Joined, they are the text.
 */
export function* textPieces(text: string, size = pieceChars): Generator<string, void> {
  let start = 0;
  while (start < text.length) {
    const end = pieceEnd(text, start, size);
    yield text.slice(start, end);
    start = end;
  }
}

/** Where a piece that begins at `start` ends. */
export function pieceEnd(text: string, start: number, size: number, limit = text.length): number {
  const end = start + size;
  if (end >= limit) return limit;
  // Only near the end: a search back through megabytes without a line break costs too much.
  const near = end - Math.floor(size / 10);
  const lineBreak = text.slice(near, end).lastIndexOf('\n');
  if (lineBreak !== -1) return near + lineBreak + 1;
  const splitsPair = isHighSurrogate(text.charCodeAt(end - 1)) && size > 1;
  return splitsPair ? end - 1 : end;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

/**
 * @param head characters kept of the beginning
 * @param tail characters kept of the end
 */
export function cutMiddle(text: string, head: number, tail: number): string {
  if (text.length <= head + tail) return text;
  const from = text.length - tail;
  // Half of a surrogate pair would be shown as a replacement character.
  const splits = /[\udc00-\udfff]/.test(text.charAt(from));
  return `${text.slice(0, pieceEnd(text, 0, head))}…${text.slice(from + (splits ? 1 : 0))}`;
}
