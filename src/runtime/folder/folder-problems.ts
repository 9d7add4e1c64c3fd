/** Creates the problems that reading a folder can report. */

import { errorText, ToolError, hintOf } from '../spec/error.ts';
import type { Limits } from '../spec/limits.ts';
import type { Problem } from '../spec/folder.ts';
import { comparePaths, showPath } from './path-rules.ts';
import type { GuessedNames } from './source.ts';

/** Limit of the problems of one kind. More would not help, and the page compares and sorts all of them. */
const maxOfKind = 200;

/** Sorts problems by file. Beyond a limit, problems of one kind are only counted. */
export function countProblems(problems: readonly Problem[]): readonly Problem[] {
  const sorted = problems.toSorted(
    (a, b) => comparePaths(a.file, b.file) || comparePaths(a.code, b.code),
  );
  const counts = new Map<string, number>();
  const listed = sorted.filter(({ code }) => {
    const count = (counts.get(code) ?? 0) + 1;
    counts.set(code, count);
    return count <= maxOfKind;
  });
  const others = [...counts].flatMap(([code, count]): Problem[] => {
    const first = listed.find((one) => one.code === code);
    if (count <= maxOfKind || first === undefined) return [];
    const more = (count - maxOfKind).toLocaleString('en');
    const message = `More files with the same problem as “${first.file}”: ${more}.`;
    return [{ ...first, file: '', message }];
  });
  return [...others, ...listed];
}

export function badPath(path: string, fault: string): Problem {
  const above = path.replace(/\/$/, '');
  // Chromium gives no name to a file whose name is not Unicode.
  const isNamed = path !== '' && path === above;
  return warning('bad-path', path, {
    message: isNamed
      ? `“${showPath(path)}” was skipped: ${fault}.`
      : `A file${above === '' ? '' : ` in “${showPath(above)}”`} was skipped: its name is empty, or is not valid Unicode.`,
    expected: 'a path inside the folder, without control characters and not too long',
    hint: 'Rename it and open the folder again. Everything else is loaded.',
  });
}

export function samePath(path: string): Problem {
  return warning('same-path', path, {
    message: `“${showPath(path)}” is in the zip file more than once. Only the last copy is loaded, as when the file is unpacked.`,
    expected: 'one file for each path',
    hint: 'If you need another copy, rename it and open the folder again.',
  });
}

export function twoForms(path: string): Problem {
  return warning('two-forms', path, {
    message: `“${showPath(path)}” is the name of two files: one has accented letters as one character, the other as two, as macOS writes them.`,
    expected: 'names that differ on every file system',
    hint: 'Both are loaded, but macOS treats them as one file, and code that opens the name may read the wrong one. Rename one of them.',
  });
}

/** @param paths files and folders of other programs */
export function otherPrograms(paths: readonly string[]): Problem {
  return note('other-programs', {
    message: `${howMany(paths)} not read: Cloche leaves out files of other programs, such as installed packages, caches and version control.`,
    expected: '',
    hint: 'No action is needed. If tools need a file from there, copy it into another folder.',
  });
}

/** @param paths of symbolic links; at least one */
export function linksLeftOut(paths: readonly string[]): Problem {
  return warning('linked', paths[0] ?? '', {
    message: `${howMany(paths)} left out: symbolic links are not followed.`,
    expected: 'files and folders themselves',
    hint: 'Copy what they lead to into the folder.',
  });
}

export function guessedNames({ encoding, example }: GuessedNames): Problem {
  return warning('guessed-names', '', {
    message: `The zip file does not name the encoding of its file names. They were read as ${encoding}, for example “${showPath(example)}”.`,
    expected: 'names in UTF-8',
    hint: 'If they look wrong, zip the folder again with a program that writes names in UTF-8.',
  });
}

export function caseOnly(path: string, other: string): Problem {
  return warning('case-only', path, {
    message: `“${showPath(path)}” and “${showPath(other)}” differ only in upper and lower case.`,
    expected: 'names that differ on every file system',
    hint: 'Both are loaded here, but Windows and macOS treat them as one file. Rename one.',
  });
}

export function tooDeep(path: string, limits: Limits): Problem {
  return warning('too-deep', path, {
    message: `“${showPath(path)}” was skipped: it is more than ${limits.folderDepth} folders deep.`,
    expected: `at most ${limits.folderDepth} nested folders`,
    hint: 'Move it up, or remove a link that points back into the folder.',
  });
}

export function tooLarge(path: string, size: number, limits: Limits): Problem {
  return warning('file-too-large', path, {
    message: `“${showPath(path)}” was skipped: it is ${megabytes(size, 'ceil')}, more than the limit of ${megabytes(limits.fileBytes)} for one file.`,
    expected: `files of at most ${megabytes(limits.fileBytes)}`,
    hint: 'Make it smaller, or move it out of the tools folder. Everything else is loaded.',
  });
}

export function unreadable(path: string, error: unknown): Problem {
  return warning('unreadable', path, {
    message: `“${showPath(path)}” could not be read: ${errorText(error)}`,
    expected: 'a readable file that does not change while it is read',
    hint:
      hintOf(error) ??
      'Close programs that write to it, check its permissions, then press Refresh.',
  });
}

/** @param skipped paths of the files that were skipped */
export function folderTooLarge(skipped: readonly string[], limits: Limits): Problem {
  return error('folder-too-large', {
    message: `The folder is larger than ${megabytes(limits.folderBytes)}: ${howMany(skipped)} skipped.`,
    expected: `at most ${megabytes(limits.folderBytes)} in all files`,
    hint: 'Move large data files out of the tools folder. Everything else is loaded.',
  });
}

/** @param crowded the subfolder with most of the files */
export function tooManyFiles(
  skipped: readonly string[],
  crowded: string | undefined,
  limits: Limits,
): Problem {
  const where = crowded === undefined ? '' : ` Most of them are in “${showPath(crowded)}”.`;
  return error('too-many-files', {
    message: `The folder has more than ${limits.folderFiles} files: ${howMany(skipped)} skipped.${where}`,
    expected: `at most ${limits.folderFiles} files`,
    hint: 'Open the folder that contains the tool files, or move the other files out of it.',
  });
}

export function tooManyFolders(limits: Limits): Problem {
  return error('too-many-folders', {
    message: `The folder has more than ${limits.folderFiles} subfolders: the others were skipped.`,
    expected: `at most ${limits.folderFiles} subfolders`,
    hint: 'Open the folder that contains the tool files, or move the other files out of it.',
  });
}

/** Returns the error for a reading whose signal has aborted. */
export function readingStopped(): ToolError {
  return new ToolError(
    'aborted',
    'Reading the folder was stopped.',
    'Open the folder again to read all of it.',
  );
}

function howMany(paths: readonly string[]): string {
  const named = paths.slice(0, 3).map((path) => `“${showPath(path)}”`);
  const rest = paths.length - named.length;
  const names = named.join(', ') + (rest > 0 ? ` and ${rest} more` : '');
  return `${names} ${paths.length === 1 ? 'was' : 'were'}`;
}

/** @param roundingMode `ceil` for a size above a limit, which would otherwise be shown as the limit itself */
function megabytes(bytes: number, roundingMode: 'halfExpand' | 'ceil' = 'halfExpand'): string {
  const shown = (bytes / 2 ** 20).toLocaleString('en', { maximumFractionDigits: 1, roundingMode });
  return `${shown} MB`;
}

type Words = Pick<Problem, 'message' | 'expected' | 'hint'>;

function warning(code: string, file: string, words: Words): Problem {
  return { severity: 'warning', code, file: showPath(file), line: null, column: null, ...words };
}

function note(code: string, words: Words): Problem {
  return { severity: 'note', code, file: '', line: null, column: null, ...words };
}

function error(code: string, words: Words): Problem {
  return { severity: 'error', code, file: '', line: null, column: null, ...words };
}
