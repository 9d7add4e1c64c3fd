/**
 * Which edits have to wait: those that would take working tools away by an error, and whatever shares files with them.
 *
 * The tools of a folder run in common interpreters, which have one version of each file. So where a file is broken, the
 * files that it needs stay as they were, and with them every other tool file that needs one of those.
 */

import type { ScannedFile } from './scan.ts';

/** A tool file as it is in use, and as it is on disk. */
export interface FileVersions {
  /** Undefined for a file that is new. */
  readonly inUse: ScannedFile | undefined;
  readonly onDisk: ScannedFile;
}

export interface HeldBack {
  /** Tool files that lose tools by an error on disk. */
  readonly broken: ReadonlySet<string>;
  /** Tool files whose version in use stays; the broken ones are among them. */
  readonly files: ReadonlySet<string>;
  /** Of what has changed, the files that wait. */
  readonly paths: ReadonlySet<string>;
}

/** @param changed paths in which the disk differs from what is in use */
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

/** Whether an error that was not there before takes tools away. Errors of specs that never worked do not. */
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
