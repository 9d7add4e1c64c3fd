/** Computes the diff between two versions of a file. */

import { structuredPatch, type StructuredPatchHunk } from 'diff';
import type { DiffLine, DiffQuestion, FileDiff } from '../../src/runtime/protocol/diff.ts';

/** Limit of both versions together; bytes. */
const maxBytes = 2_000_000;
/** Limit of the time for comparing; milliseconds. */
const maxMs = 2_000;
/** Limit of returned lines, which the page receives at once. */
const maxLines = 5_000;
/** Limit of characters of a line that are returned. */
const maxInLine = 2_000;

export function fileDiff({ before, after }: DiffQuestion): FileDiff {
  const old = textOf(before);
  const now = textOf(after);
  if (old === null || now === null) return { kind: 'binary' };
  if (before.byteLength + after.byteLength > maxBytes) return { kind: 'large' };
  const hunks = hunksOf(old, now);
  if (hunks === null) return { kind: 'large' };
  const lines: DiffLine[] = [];
  let more = 0;
  const add = (line: DiffLine): void => {
    // @mutant the lines of a diff => < maxLines -> >= 0
    if (lines.length < maxLines) lines.push(line);
    else more += 1;
  };
  for (const [index, hunk] of hunks.entries()) {
    if (index > 0 || hunk.oldStart > 1) add(gap);
    for (const line of hunk.lines) add(lineOf(line));
  }
  return { kind: 'lines', lines, more };
}

type Hunk = Pick<StructuredPatchHunk, 'oldStart' | 'lines'>;

/** @returns null if the versions differ in too much */
function hunksOf(old: string, now: string): readonly Hunk[] | null {
  // The library would take a step for each line.
  if (old === '') return [{ oldStart: 1, lines: signed('+', now) }];
  if (now === '') return [{ oldStart: 1, lines: signed('-', old) }];
  const limits = { context: 3, timeout: maxMs };
  return structuredPatch('', '', old, now, '', '', limits)?.hunks ?? null;
}

/** The lines of a text with a sign. */
function signed(sign: string, text: string): string[] {
  return text === ''
    ? []
    : text
        .replace(/\n$/, '')
        .split('\n')
        .map((line) => sign + line);
}

const gap: DiffLine = { what: 'gap', text: '' };

/** A line of a diff for the page. @param line begins with a sign */
function lineOf(line: string): DiffLine {
  const text = line.slice(1, maxInLine) + (line.length > maxInLine ? '…' : '');
  switch (line[0]) {
    case '+':
      return { what: 'added', text };
    case '-':
      return { what: 'removed', text };
    case '\\':
      return { what: 'gap', text: 'No newline at end of file' };
    default:
      return { what: 'same', text };
  }
}

/** The text of a file; null if it is binary. */
function textOf(bytes: Uint8Array): string | null {
  if (bytes.subarray(0, 8_000).includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
