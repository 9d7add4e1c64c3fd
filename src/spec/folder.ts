/** An opened tools folder as Cloche holds it: files by path, and what could not be taken. */

import type { Problem } from './problem.ts';

export interface FolderFile {
  /** Inside the folder, with `/`, never `..`. */
  readonly path: string;
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
  readonly bytes: Uint8Array;
}

/** What makes one snapshot of a folder into another. */
export interface FolderChanges {
  readonly written: readonly FolderFile[];
  readonly removed: readonly string[];
  /** Some of these files are new to the folder, or go: what an import means may have changed with them. */
  readonly cameOrWent: boolean;
}

export interface FolderSnapshot {
  /** New for every reading; an interpreter belongs to one snapshot. */
  readonly id: string;
  readonly name: string;
  readonly files: readonly FolderFile[];
  /** Sub-folders, empty ones too, with `/`; those of an upload or a zip are known by their files alone. */
  readonly folders: readonly string[];
  readonly problems: readonly Problem[];
}
