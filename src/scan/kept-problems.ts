/** The problems of a tool file whose edit is held back. */

import { shownPath } from '../folder/path-rules.ts';
import type { Problem } from '../spec/problem.ts';
import type { HeldBack } from './hold-back.ts';
import type { ScannedFile } from './scan.ts';

/**
 * Returns the problems of the version on disk, preceded by the one that another version is in use.
 * @param since when that version was loaded, in milliseconds since the epoch; null if the file has no tools in use
 */
export function keptProblems(
  { file, inspection }: ScannedFile,
  { broken }: HeldBack,
  since: number | null,
): Problem[] {
  const inUse =
    since === null
      ? 'its tools are not available yet'
      : `the last good version from ${clock(since)} is in use`;
  const others = [...broken].filter((other) => other !== file).sort();
  const named = others.slice(0, 3).map((other) => `“${shownPath(other)}”`);
  const problem: Problem = broken.has(file)
    ? {
        ...common(file),
        message: `“${shownPath(file)}” has errors: ${inUse}.`,
        expected: 'a file that loads without errors',
        hint: 'Fix its errors and save it. Its tools are then updated.',
      }
    : {
        ...common(file),
        message: `“${shownPath(file)}” is waiting for ${named.join(', ')}, which has errors and needs the same changed files: ${inUse}.`,
        expected: 'tool files that load with the same version of their imports',
        hint: `Fix the errors in ${named.join(', ')}.`,
      };
  return [problem, ...inspection.problems];
}

function common(file: string): Pick<Problem, 'severity' | 'code' | 'file' | 'line' | 'column'> {
  return { severity: 'warning', code: 'last-good-version', file, line: null, column: null };
}

/** Formats the local time as HH:MM. */
function clock(at: number): string {
  const time = new Date(at);
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${two(time.getHours())}:${two(time.getMinutes())}`;
}
