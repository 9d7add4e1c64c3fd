/** The words for everything that can be wrong with the files of a folder. */

import { errorText, ToolError } from '../spec/error.ts';
import type { Limits } from '../spec/limits.ts';
import type { Problem } from '../spec/problem.ts';
import { shownPath } from './path-rules.ts';

export function badPath(path: string, fault: string): Problem {
  return warning('bad-path', path, {
    message: `“${shownPath(path)}” was left out: ${fault}.`,
    expected: 'names without control characters and backslashes, not too long',
    hint: 'Rename it and open the folder again.',
  });
}

export function samePath(path: string): Problem {
  return warning('same-path', path, {
    message: `“${shownPath(path)}” was left out: another file or folder has the same path.`,
    expected: 'one file for each path',
    hint: 'Rename one of the two and open the folder again.',
  });
}

export function caseOnly(path: string, other: string): Problem {
  return warning('case-only', path, {
    message: `“${shownPath(path)}” and “${shownPath(other)}” differ in upper and lower case only.`,
    expected: 'names that are different on every file system',
    hint: 'Both are loaded here, but on Windows and macOS they would be one file: rename one.',
  });
}

export function tooDeep(path: string, limits: Limits): Problem {
  return warning('too-deep', path, {
    message: `“${shownPath(path)}” was left out: it lies more than ${limits.folderDepth} folders deep.`,
    expected: `at most ${limits.folderDepth} folders inside one another`,
    hint: 'Move it further up, or remove a link that leads back into the folder.',
  });
}

export function tooLarge(path: string, size: number, limits: Limits): Problem {
  return warning('file-too-large', path, {
    message: `“${shownPath(path)}” was left out: it has ${megabytes(size)}, the limit for one file is ${megabytes(limits.fileBytes)}.`,
    expected: `files of at most ${megabytes(limits.fileBytes)}`,
    hint: 'Make it smaller or move it out of the tools folder; everything else is loaded.',
  });
}

export function unreadable(path: string, error: unknown): Problem {
  return warning('unreadable', path, {
    message: `“${shownPath(path)}” could not be read: ${errorText(error)}`,
    expected: 'a file that this browser may read and that stays as it is meanwhile',
    hint:
      (error instanceof ToolError ? error.hint : undefined) ??
      'Close programs that are writing to it, check that you may read it, then refresh.',
  });
}

/** `left` files in all, the first of them by name. */
export function folderTooLarge(left: readonly string[], limits: Limits): Problem {
  return error('folder-too-large', {
    message: `The folder has more than ${megabytes(limits.folderBytes)}: ${howMany(left)} left out.`,
    expected: `at most ${megabytes(limits.folderBytes)} in all files`,
    hint: 'Move large data files out of the tools folder; everything else is loaded.',
  });
}

/** `crowded` is the sub-folder that holds most of the files. */
export function tooManyFiles(
  left: readonly string[],
  crowded: string | undefined,
  limits: Limits,
): Problem {
  const where = crowded === undefined ? '' : ` Most of them are in “${shownPath(crowded)}”.`;
  return error('too-many-files', {
    message: `The folder has more than ${limits.folderFiles} files: ${howMany(left)} left out.${where}`,
    expected: `at most ${limits.folderFiles} files`,
    hint: 'Open the folder that holds the tools themselves, or move the rest elsewhere.',
  });
}

export function tooManyFolders(limits: Limits): Problem {
  return error('too-many-folders', {
    message: `The folder has more than ${limits.folderFiles} sub-folders: the others were left out.`,
    expected: `at most ${limits.folderFiles} sub-folders`,
    hint: 'Open the folder that holds the tools themselves, or move the rest elsewhere.',
  });
}

/** The error of a reading whose signal has aborted. */
export function readingStopped(): ToolError {
  return new ToolError(
    'aborted',
    'Reading the folder was stopped.',
    'Open the folder again to read it whole.',
  );
}

function howMany(left: readonly string[]): string {
  const named = left.slice(0, 3).map((path) => `“${shownPath(path)}”`);
  const rest = left.length - named.length;
  const names = named.join(', ') + (rest > 0 ? ` and ${rest} more` : '');
  return `${names} ${left.length === 1 ? 'was' : 'were'}`;
}

function megabytes(bytes: number): string {
  return `${(bytes / (1024 * 1024)).toLocaleString('en', { maximumFractionDigits: 1 })} MB`;
}

type Words = Pick<Problem, 'message' | 'expected' | 'hint'>;

function warning(code: string, file: string, words: Words): Problem {
  return { severity: 'warning', code, file: shownPath(file), line: null, column: null, ...words };
}

function error(code: string, words: Words): Problem {
  return { severity: 'error', code, file: '', line: null, column: null, ...words };
}
