/**
 * Finds where a long text may be cut. Separate from the other cuts, since every page needs this one
 * at once.
 */

/** Returns the end of a piece that begins at `start`. */
export function pieceEnd(text: string, start: number, size: number, limit = text.length): number {
  const end = start + size;
  if (end >= limit) return limit;
  // Line breaks are only searched for near the end: going back through megabytes without one is
  // slow.
  const near = end - Math.floor(size / 10);
  const lineBreak = text.slice(near, end).lastIndexOf('\n');
  if (lineBreak !== -1) return near + lineBreak + 1;
  const least = Math.max(start, end - maxMarks);
  let at = end;
  while (at > least && continues.test(text.slice(at, at + 2))) at -= 1;
  if (at > least) return at;
  return /^[\udc00-\udfff]/.test(text.slice(end, end + 1)) && size > 1 ? end - 1 : end;
}

/**
 * Matches characters that belong to the one before: a mark, a joiner, or the second half of a
 * surrogate pair.
 */
const continues = /^[\p{M}\p{Surrogate}\u200c\u200d]/u;
/** Limit of the marks that are kept with their character; UTF-16 units. */
const maxMarks = 32;
