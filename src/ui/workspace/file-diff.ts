/** Computes the diff between two versions of a file. */

import type { FolderFile } from '../../spec/folder.ts';

export interface DiffLine {
  /** `gap`: unchanged lines are left out. */
  readonly what: 'added' | 'removed' | 'same' | 'gap';
  readonly text: string;
}

export type FileDiff =
  | { readonly kind: 'lines'; readonly lines: readonly DiffLine[] }
  | { readonly kind: 'binary' }
  | { readonly kind: 'large' };

/** Limit of both versions together; bytes. */
const mostBytes = 2_000_000;
/** Limit of the time for comparing; milliseconds. */
const mostMs = 400;
/** Limit of shown characters of a line. */
const mostInLine = 2_000;

/** Computes a diff; null stands for a missing file. Rejects if the diff library cannot be loaded. */
export async function diffOf(
  before: FolderFile | null,
  after: FolderFile | null,
): Promise<FileDiff> {
  const [old, now] = [textOf(before), textOf(after)];
  if (old === null || now === null) return { kind: 'binary' };
  if ((before?.size ?? 0) + (after?.size ?? 0) > mostBytes) return { kind: 'large' };
  const { structuredPatch } = await import('diff');
  const patch = structuredPatch('', '', old, now, '', '', { context: 3, timeout: mostMs });
  if (patch === undefined) return { kind: 'large' };
  const lines = patch.hunks.flatMap((hunk, index): DiffLine[] => [
    ...(index > 0 || hunk.oldStart > 1 ? [gap] : []),
    ...hunk.lines.map(lineOf),
  ]);
  return { kind: 'lines', lines };
}

const gap: DiffLine = { what: 'gap', text: '' };

function lineOf(line: string): DiffLine {
  const text = line.slice(1, mostInLine) + (line.length > mostInLine ? '…' : '');
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
function textOf(file: FolderFile | null): string | null {
  if (file === null) return '';
  if (file.bytes.subarray(0, 8_000).includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file.bytes);
  } catch {
    return null;
  }
}
