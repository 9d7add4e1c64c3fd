/** Types of an opened tools folder: its files, and the problems of files that were not read. */

import type { Problem } from './problem.ts';

export interface FolderFile {
  /** Relative to the folder, with `/`, and without `..`. */
  readonly path: string;
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
  readonly bytes: Uint8Array;
}

/** The difference between two snapshots of a folder. */
export interface FolderChanges {
  readonly written: readonly FolderFile[];
  readonly removed: readonly string[];
  /** Whether any of these files is new or removed, which can change what an import resolves to. */
  readonly cameOrWent: boolean;
}

/** The contents of a tools folder at one time. */
export interface FolderSnapshot {
  /** New each time that the folder is read; an interpreter belongs to one snapshot. */
  readonly id: string;
  readonly name: string;
  readonly files: readonly FolderFile[];
  /** Paths of all folders, with `/`; an upload or a zip does not list empty ones. */
  readonly folders: readonly string[];
  readonly problems: readonly Problem[];
  /** Typed functions of files without specs are tools, as in a playground, unless the file marks tools. */
  readonly functionsAreTools?: true;
}
