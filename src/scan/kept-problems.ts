/** What is said of a tool file whose edit is not in use. */

import { shownPath } from '../folder/path-rules.ts';
import type { Problem } from '../spec/problem.ts';
import type { HeldBack } from './hold-back.ts';
import type { ScannedFile } from './scan.ts';

/**
 * The problems of the version on disk, and before them that another one is in use.
 * @param since when that one was loaded; null where the file has no tools in use
 */
export function keptProblems(
  { file, inspection }: ScannedFile,
  { broken }: HeldBack,
  since: number | null,
): Problem[] {
  const inUse =
    since === null
      ? 'its tools are not in use yet'
      : `the last good version from ${clock(since)} is in use`;
  const others = [...broken].filter((other) => other !== file).sort();
  const named = others.slice(0, 3).map((other) => `“${shownPath(other)}”`);
  const problem: Problem = broken.has(file)
    ? {
        ...common(file),
        message: `“${shownPath(file)}” cannot be used as it is now: ${inUse}.`,
        expected: 'a file that loads without taking tools away by an error',
        hint: 'Mend the errors told of it: its tools follow as soon as it is saved.',
      }
    : {
        ...common(file),
        message: `“${shownPath(file)}” waits for ${named.join(', ')}, which cannot be used as it is now and needs the same changed files: ${inUse}.`,
        expected: 'tool files that can be used with the same version of what they import',
        hint: `Mend the errors told of ${named.join(', ')}.`,
      };
  return [problem, ...inspection.problems];
}

function common(file: string): Pick<Problem, 'severity' | 'code' | 'file' | 'line' | 'column'> {
  return { severity: 'warning', code: 'last-good-version', file, line: null, column: null };
}

/** Hours and minutes, as clocks here show them. */
function clock(at: number): string {
  const time = new Date(at);
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${two(time.getHours())}:${two(time.getMinutes())}`;
}
