/**
 * Decides which edits are held back: those whose errors would remove working tools, and edits that share files with
 * them.
 *
 * The tools of a folder share interpreters, which have only one version of each file. So if a file is broken, the
 * previous versions of the files that it needs stay in use, and so do those of every other tool file that needs one of
 * them.
 */

import { showPath } from '../folder/path-rules.ts';
import type { Problem } from '../spec/folder.ts';
import type { ScannedFile } from './scan.ts';

/** A tool file's version in use and its version on disk. */
export interface FileVersions {
  /** Undefined for a new file. */
  readonly inUse: ScannedFile | undefined;
  readonly onDisk: ScannedFile;
}

export interface HeldBack {
  /** Tool files that would lose tools because of an error on disk. */
  readonly broken: ReadonlySet<string>;
  /** Tool files whose version in use stays, including the broken ones. */
  readonly files: ReadonlySet<string>;
  /** Changed files that are held back. */
  readonly paths: ReadonlySet<string>;
}

/** @param changed paths whose version on disk differs from the one in use */
export function holdBack(
  changed: ReadonlySet<string>,
  versions: readonly FileVersions[],
): HeldBack {
  const files = versions.map((each) => ({
    file: each.onDisk.file,
    isBroken: breaks(each),
    changed: needsOf(each).filter((path) => changed.has(path)),
  }));
  const broken = new Set(files.flatMap(({ file, isBroken }) => (isBroken ? [file] : [])));
  const held = new Set(broken);
  const paths = new Set(files.flatMap((each) => (each.isBroken ? each.changed : [])));
  let before: number;
  do {
    before = held.size;
    for (const each of files) {
      if (held.has(each.file) || !each.changed.some((path) => paths.has(path))) continue;
      held.add(each.file);
      for (const path of each.changed) paths.add(path);
    }
  } while (held.size > before);
  return { broken, files: held, paths };
}

/** Returns whether a new error removes tools. Errors of specs that never worked do not count. */
function breaks({ inUse, onDisk }: FileVersions): boolean {
  if (inUse === undefined) return false;
  const now = new Set(onDisk.inspection.tools.map(({ name }) => name));
  if (inUse.inspection.tools.every(({ name }) => now.has(name))) return false;
  const before = new Set(errorsOf(inUse));
  return errorsOf(onDisk).some((error) => !before.has(error));
}

function errorsOf({ inspection }: ScannedFile): string[] {
  return inspection.problems.flatMap(({ severity, code, message }) =>
    severity === 'error' ? [`${code} ${message}`] : [],
  );
}

function needsOf({ inUse, onDisk }: FileVersions): string[] {
  const needed = [...(inUse?.inspection.imports ?? []), ...onDisk.inspection.imports];
  return [...new Set([onDisk.file, ...needed])];
}

/**
 * Returns the problems of the version on disk, preceded by the one that another version is in use.
 * @param since when that version was loaded, in milliseconds since the epoch; null if the file has no tools in use
 */
export function describeKeptProblems(
  { file, inspection }: ScannedFile,
  { broken }: HeldBack,
  since: number | null,
): Problem[] {
  const inUse =
    since === null
      ? 'its tools are not available yet'
      : `the last good version from ${clock(since)} is in use`;
  const others = [...broken].filter((other) => other !== file).sort();
  const named = others.slice(0, 3).map((other) => `“${showPath(other)}”`);
  const problem: Problem = broken.has(file)
    ? {
        ...heldBackProblem(file),
        message: `“${showPath(file)}” has errors: ${inUse}.`,
        expected: 'a file that loads without errors',
        hint: 'Fix its errors and save it. Its tools are then updated.',
      }
    : {
        ...heldBackProblem(file),
        message: `“${showPath(file)}” is waiting for ${named.join(', ')}, which has errors and needs the same changed files: ${inUse}.`,
        expected: 'tool files that load with the same version of their imports',
        hint: `Fix the errors in ${named.join(', ')}.`,
      };
  return [problem, ...inspection.problems];
}

function heldBackProblem(
  file: string,
): Pick<Problem, 'severity' | 'code' | 'file' | 'line' | 'column'> {
  return { severity: 'warning', code: 'last-good-version', file, line: null, column: null };
}

/** Formats the local time as HH:MM. */
function clock(at: number): string {
  const time = new Date(at);
  const twoDigits = (part: number): string => String(part).padStart(2, '0');
  return `${twoDigits(time.getHours())}:${twoDigits(time.getMinutes())}`;
}
