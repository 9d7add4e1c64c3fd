/**
 * Validates the changes in an interpreter's copy: which may be written to the folder, and why the others may not. A path
 * is allowed if it names one file inside the workspace on every operating system.
 */

import { createPacer } from '../async/pace.ts';
import type { LeftInCopy, WorkspaceReport } from '../protocol/workspace.ts';
import { comparableName, comparablePath, skippedName } from '../folder/file-names.ts';
import { parentFolders, pathFault, showPath } from '../folder/path-rules.ts';
import type { FolderFile } from '../spec/folder.ts';
import type { Limits } from '../spec/limits.ts';
import type { WorkspaceView } from './changes.ts';

/** All changes of a call, from one or more reports. */
export type Collected = Pick<
  WorkspaceReport,
  'files' | 'removed' | 'folders' | 'foldersGone' | 'left'
>;

export interface ValidChanges {
  readonly files: readonly FolderFile[];
  readonly removed: readonly string[];
  readonly folders: readonly string[];
  readonly foldersGone: readonly string[];
  readonly refused: readonly Refused[];
}

interface Refused {
  readonly path: string;
  readonly reason: string;
}

/**
 * Validates changes, with pauses for the page, because there may be thousands.
 * @param view the workspace without these changes
 */
export async function validateChanges(
  collected: Collected,
  view: WorkspaceView,
  limits: Limits,
): Promise<ValidChanges> {
  const pacer = createPacer();
  const refused: Refused[] = collected.left.map((one) => leftReason(one, limits));
  const refuse = (path: string, reason: string | undefined): boolean => {
    if (reason !== undefined) refused.push({ path, reason });
    return reason === undefined;
  };
  const removed = withoutRepeats(collected.removed).filter((path) => view.files.has(path));
  const names = new Names();
  const gone = new Set(removed);
  for (const path of [...view.folders, ...view.files.keys()]) {
    if (pacer.mustRest()) await pacer.rest();
    if (!gone.has(path)) names.add(path);
  }
  const room = new Room(view, removed, limits);
  const files: FolderFile[] = [];
  const taken = new Set<string>();
  for (const { path, modifiedAt, bytes } of collected.files) {
    if (pacer.mustRest()) await pacer.rest();
    if (taken.has(path)) continue;
    taken.add(path);
    const file = { path, modifiedAt, bytes, size: bytes.byteLength };
    const before = view.files.get(path);
    const fault =
      refusedPath(path) ?? tooDeep(path, limits) ?? names.clash(path) ?? room.fault(file, before);
    if (!refuse(path, fault)) continue;
    for (const one of [...parentFolders(path), path]) names.add(one);
    room.take(file, before);
    files.push(file);
  }
  // A folder that contains an accepted file is created with the file; if its files are refused, they have given the reason.
  const holding = new Set(collected.files.flatMap(({ path }) => parentFolders(path)));
  const folders: string[] = [];
  for (const path of withoutRepeats(collected.folders)) {
    if (pacer.mustRest()) await pacer.rest();
    if (view.folders.has(path) || holding.has(path)) continue;
    const fault = refusedFolder(path) ?? tooDeep(`${path}/x`, limits) ?? names.clash(path);
    if (refuse(path, fault)) folders.push(path);
  }
  const foldersGone = withoutRepeats(collected.foldersGone).filter((path) =>
    view.folders.has(path),
  );
  return { files, removed, folders, foldersGone, refused };
}

function withoutRepeats(paths: readonly string[]): string[] {
  return [...new Set(paths)];
}

/** Detects paths that some file systems treat as one, such as those that differ only in case. */
class Names {
  readonly #folded = new Map<string, string>();

  clash(path: string): string | undefined {
    for (const one of [...parentFolders(path), path]) {
      const other = this.#folded.get(comparablePath(one));
      if (other !== undefined && other !== one)
        return `some systems take it for “${showPath(other)}”, which exists`;
    }
    return undefined;
  }

  add(path: string): void {
    this.#folded.set(comparablePath(path), path);
  }
}

/** The space that is left in the workspace. */
class Room {
  readonly #limits: Limits;
  #bytes: number;
  #files: number;

  constructor({ files }: WorkspaceView, removed: readonly string[], limits: Limits) {
    this.#limits = limits;
    this.#bytes = limits.workspaceBytes;
    this.#files = limits.workspaceFiles - files.size + removed.length;
    const gone = new Set(removed);
    for (const [path, { size }] of files) if (!gone.has(path)) this.#bytes -= size;
  }

  fault({ size }: FolderFile, before: FolderFile | undefined): string | undefined {
    const { fileBytes, workspaceBytes, workspaceFiles } = this.#limits;
    if (size > fileBytes) return `it is larger than ${megabytes(fileBytes)}`;
    if (size - (before?.size ?? 0) > this.#bytes)
      return `the workspace would be larger than ${megabytes(workspaceBytes)}`;
    if (before === undefined && this.#files < 1)
      return `the workspace would have more than ${workspaceFiles.toLocaleString('en')} files`;
    return undefined;
  }

  take({ size }: FolderFile, before: FolderFile | undefined): void {
    this.#bytes -= size - (before?.size ?? 0);
    if (before === undefined) this.#files -= 1;
  }
}

function tooDeep(path: string, { folderDepth }: Limits): string | undefined {
  if (path.split('/').length - 1 <= folderDepth) return undefined;
  return `it is more than ${folderDepth} folders deep`;
}

function leftReason({ path, why }: LeftInCopy, { fileBytes }: Limits): Refused {
  switch (why) {
    case 'link':
      return { path, reason: 'symbolic links are not followed' };
    case 'special':
      return { path, reason: 'it is neither a file nor a folder' };
    case 'large':
      return { path, reason: `it is larger than ${megabytes(fileBytes)}` };
    case 'long':
      return { path, reason: 'its path is too long' };
    case 'many':
      return { path, reason: 'the tool created too many files' };
  }
}

function megabytes(bytes: number): string {
  return `${String(Math.round(bytes / 1024 / 1024))} MB`;
}

/** Limit of most file systems, in bytes of UTF-8. */
const longestNameBytes = 255;
/** The form of the second name that Windows gives to a file with a long name. */
const shortName = /^[^. ]{1,6}~\d{1,6}(\.[^. ]{1,3})?$/;
/** Names of devices on Windows, with any extension. */
const devices = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$) *(\..*)?$/i;

/**
 * Matches invisible characters, except for the joiners and selectors of scripts and emoji, and a
 * selector behind a character that can have variants.
 */
const hidden =
  /(?![\ufe00-\ufe0d\u{e0100}-\u{e01ef}](?<=(?![\0-\x7f])[\p{L}\p{So}\p{Sm}].)|\u200c|\u200d|\ufe0e|\ufe0f|[\u180b-\u180d\u180f])\p{Default_Ignorable_Code_Point}|[\u2028\u2029]|^(?:\p{M}|\p{Z}|\u200c|\u200d)*$/u;

/** Returns why a path is refused, as the end of a sentence; undefined if it is allowed. */
export function refusedPath(path: string): string | undefined {
  const fault = pathFault(path);
  if (fault !== undefined) return fault;
  for (const name of path.split('/')) {
    const skipped = skippedName(name);
    // @mutant folders of other programs are not written to => removed
    if (skipped !== undefined) return ownedName(name, skipped);
    const odd = oddName(name);
    if (odd !== undefined) return odd;
  }
  return undefined;
}

/** Like {@link refusedPath}, for a folder. */
export function refusedFolder(path: string): string | undefined {
  return refusedPath(`${path}/x`);
}

function ownedName(name: string, skipped: string): string {
  return name === skipped
    ? `“${name}” belongs to another program and is not changed`
    : `“${name}” can be taken for “${skipped}”, which belongs to another program and is not changed`;
}

function oddName(name: string): string | undefined {
  if (/[<>:"|?*]/.test(name)) return 'names on Windows cannot contain any of < > : " | ? *';
  if (/[. ]$/.test(name)) return 'names on Windows cannot end with a dot or a space';
  // @mutant names of devices are not written => never
  if (devices.test(name)) return 'its name is reserved on Windows';
  // @mutant short names of Windows are not written => never
  if (shortName.test(comparableName(name)))
    return 'names with ~ and a number can mean another file on Windows';
  // Browsers use this extension for temporary files while they write.
  if (/\.crswap$/i.test(name)) return 'browsers use this file extension for temporary files';
  if (/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/.test(name))
    return 'its name changes the direction of the text around it';
  if (hidden.test(name)) return 'its name has invisible characters';
  if (new TextEncoder().encode(name).byteLength > longestNameBytes)
    return `its name is longer than ${longestNameBytes} bytes`;
  return undefined;
}
