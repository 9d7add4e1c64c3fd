/** Where a long text may be cut: apart from the other cuts, since every page needs it at once. */

/** The end of a piece that begins at `start`. */
export function pieceEnd(text: string, start: number, size: number, limit = text.length): number {
  const end = start + size;
  if (end >= limit) return limit;
  // Only near the end: searching back through megabytes without a line break is slow.
  const near = end - Math.floor(size / 10);
  const lineBreak = text.slice(near, end).lastIndexOf('\n');
  if (lineBreak !== -1) return near + lineBreak + 1;
  const least = Math.max(start, end - maxMarks);
  let at = end;
  while (at > least && continues.test(text.slice(at, at + 2))) at -= 1;
  if (at > least) return at;
  return /^[\udc00-\udfff]/.test(text.slice(end, end + 1)) && size > 1 ? end - 1 : end;
}

/** What belongs to the character before it: a mark, a joiner, or the second half of a surrogate pair. */
const continues = /^[\p{M}\p{Surrogate}\u200c\u200d]/u;
/** Limit of the marks that are kept with their character; UTF-16 units. */
const maxMarks = 32;
