/** Cuts long texts: into pieces that the page renders one at a time, or to their start and end. */

import { pieceEnd } from './visible-text.ts';

/** Length of a piece in characters: laid out within a frame even on a slow machine (100,000 took 46 ms). */
export const pieceChars = 32_000;
/** Lines of a piece, for the same reason (4,000 took 27 ms). */
export const pieceLines = 2_000;
/**
 * Limit of characters in a piece that take up to 30 times as long: those that scripts join, those of rare fonts, and those
 * that are spelt out. A piece with more of them is split into pieces of this length.
 */
const slowChars = 2_000;
/** Matches each such character: all but Latin, Greek, Cyrillic, Chinese, Japanese and Korean ones, and common symbols. */
const slow =
  /[^\t-\r -~\u00a0-\u00ac\u00ae-\u02ff\u0370-\u052f\u2010-\u2027\u2190-\u25ff\u3000-\u9fff\uac00-\ud7a3]/g;

/** Pieces that are laid out together within a frame. */
const maxLastPieces = 3;

/** Limits of a text field, which cannot show text in pieces: characters, lines, and characters that take long to lay out. */
const maxFieldChars = 250_000;
const maxFieldLines = 2 * pieceLines;
const maxFieldSlowChars = 2 * slowChars;

/** Returns whether a text field lays a text out within 50 ms (20,000 lines took 400 ms, 500,000 characters 60 ms). */
export function fitsField(text: string): boolean {
  if (text.length > maxFieldChars) return false;
  const lines = text.split('\n', maxFieldLines + 1).length;
  return lines <= maxFieldLines && slowLength(text) <= maxFieldSlowChars;
}

/** Returns whether a whole text is laid out within one frame. */
export function isQuick(text: string): boolean {
  return text.length <= pieceChars && !isSlow(text);
}

/** Returns whether a text takes long to lay out in one piece, even if it is short. */
export function isSlow(text: string): boolean {
  return slowLength(text) > slowChars;
}

/** The number of characters that take long to lay out. */
export function slowLength(text: string): number {
  return text.match(slow)?.length ?? 0;
}

/** Returns the end of a growing text, in pieces: as much of it as is laid out within a frame. */
export function lastPieces(text: string): {
  readonly pieces: readonly string[];
  readonly cut: boolean;
} {
  const pieces = [...quickPieces(textPieces(text))];
  return { pieces: pieces.slice(-maxLastPieces), cut: pieces.length > maxLastPieces };
}

/**
 * Matches up to the last line break in the second half of a piece. If a piece could end earlier, at the first line break of a
 * long line, it would have only a few characters.
 */
const wholeLines = /^[^]{1000,}\n/;
/** Matches up to the last space in the second half that no mark or joiner follows, since these belong to the character before them. */
const wholeWords = /^[^]{1000,} (?![\p{M}\u200c\u200d])/u;

/**
 * Splits a text into pieces of about `size` characters. A piece ends after a line break if one is near its end, and
 * never inside a surrogate pair, nor before a mark or joiner.
 */
export function* textPieces(text: string, size = pieceChars): Generator<string, void> {
  let start = 0;
  while (start < text.length) {
    const end = pieceEnd(text, start, size);
    yield text.slice(start, end);
    start = end;
  }
}

/** Splits pieces that would take long to lay out: with many lines, or many characters that take long. */
export function* quickPieces(
  pieces: Iterator<string, void>,
  max = pieceLines,
): Generator<string, void> {
  for (const piece of linePieces(pieces, max))
    if (!isSlow(piece)) yield piece;
    else yield* wordPieces(piece);
}

/**
 * Like {@link textPieces}, but ends a piece after the last line break in its second half, or else after the last space there.
 * Each piece begins on a new line, so a word should not be split between two.
 */
function* wordPieces(text: string): Generator<string, void> {
  for (let start = 0; start < text.length;) {
    const max = text.slice(start, pieceEnd(text, start, slowChars));
    const isLast = start + max.length === text.length;
    const words = isLast ? null : (wholeLines.exec(max) ?? wholeWords.exec(max));
    const piece = words?.[0] ?? max;
    yield piece;
    start += piece.length;
  }
}

function* linePieces(pieces: Iterator<string, void>, max: number): Generator<string, void> {
  for (let next = pieces.next(); next.done !== true; next = pieces.next()) {
    let start = 0;
    let lines = 0;
    const piece = next.value;
    for (let at = piece.indexOf('\n'); at !== -1; at = piece.indexOf('\n', at + 1)) {
      lines += 1;
      // @mutant pieces of a text have a number of lines => without if (lines < max || at + 1 === piece.length)
      //   [src/app/ui/parts/cut-text.test.ts src/app/ui/parts/piece-by-piece.svelte.test.ts]
      if (lines < max || at + 1 === piece.length) continue;
      yield piece.slice(start, at + 1);
      [start, lines] = [at + 1, 0];
    }
    yield piece.slice(start);
  }
}

/** Cuts a long text to its start and end. @param head characters of the start @param tail characters of the end */
export function cutMiddle(text: string, head: number, tail: number): string {
  if (text.length <= head + tail) return text;
  const from = text.length - tail;
  // Half a surrogate pair would be shown as a replacement character.
  const splits = /[\udc00-\udfff]/.test(text.charAt(from));
  return `${text.slice(0, pieceEnd(text, 0, head))}…${text.slice(from + (splits ? 1 : 0))}`;
}
