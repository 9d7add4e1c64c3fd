/** A window of numbered lines of a source text, however long the text and its lines are. */

import { Budget } from '../../../../runtime/async/pace.ts';
import type { CodeColors, CodeSpan } from '../../parts/python-colors.ts';

export interface SourceLine {
  /** 1-based. */
  readonly number: number;
  readonly text: string;
  /** Offset of its start in the whole text. */
  readonly start: number;
  /** Number of characters of the line that are left out. */
  readonly more: number;
}

export interface SourceWindow {
  readonly lines: readonly SourceLine[];
  readonly first: number;
  readonly last: number;
  /** Number of lines in the whole text. */
  readonly total: number;
}

/** Lines shown at a time. */
export const windowLines = 1_000;
const lineChars = 2_000;
/** Limit of the coloured spans of a window, each of which is an element: an ordinary line has about five. */
const maxSpans = 10_000;

/** Start of each line of a text; a trailing line break begins no further line. */
export function lineStarts(text: string): Uint32Array {
  let starts = new Uint32Array(1024);
  let count = 1;
  const last = text.length - 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < last; at = text.indexOf('\n', at + 1)) {
    if (count === starts.length) {
      const larger = new Uint32Array(count * 2);
      larger.set(starts);
      starts = larger;
    }
    starts[count] = at + 1;
    count += 1;
  }
  return starts.subarray(0, count);
}

/** The lines from `first` to `last`, both 1-based, and limited to the text. */
export function sourceWindow(
  text: string,
  starts: Uint32Array,
  first: number,
  last: number,
): SourceWindow {
  const total = starts.length;
  const from = Math.min(Math.max(1, first), total);
  const to = Math.min(Math.max(from, last), total);
  const lines = Array.from({ length: to - from + 1 }, (_, i) => lineAt(text, starts, from + i));
  return { lines, first: from, last: to, total };
}

/** The coloured spans of the first lines, up to a limit of their number. */
export function colorLines(
  lines: readonly SourceLine[],
  colors: CodeColors,
): readonly (readonly CodeSpan[])[] {
  const budget = new Budget(maxSpans);
  const colored: (readonly CodeSpan[])[] = [];
  for (const { start, text } of lines) {
    const spans = colors(start, start + text.length);
    if (!budget.take(spans.length)) break;
    colored.push(spans);
  }
  return colored;
}

/** Returns how many lines, from the first one on, have at most `max` spans in total. */
export function linesWithin(spans: readonly (readonly CodeSpan[])[], max: number): number {
  const budget = new Budget(max);
  const over = spans.findIndex((line) => !budget.take(line.length));
  return over === -1 ? spans.length : over;
}

/** The first window, with the requested line in its middle third. */
export function firstWindow(line: number | null, total: number): readonly [number, number] {
  const first = line === null || line <= windowLines * 0.9 ? 1 : line - windowLines / 2;
  return [first, Math.min(total, first + windowLines - 1)];
}

function lineAt(text: string, starts: Uint32Array, number: number): SourceLine {
  const start = starts[number - 1] ?? 0;
  const end = starts[number] ?? text.length + 1;
  const whole = text.slice(start, end - 1).replace(/\r?\n?$/, '');
  const more = Math.max(0, whole.length - lineChars);
  return { number, text: whole.slice(0, lineChars), start, more };
}
