/** An opened tools folder: its files, its problems, and what has changed since it was read. */

import { sameBytes } from './bytes.ts';

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

/** Returns what has changed. Files that are the same object or have the same bytes have not changed. */
export function changesBetween(before: FolderSnapshot, after: FolderSnapshot): FolderChanges {
  const old = new Map(before.files.map((file) => [file.path, file]));
  const written = after.files.filter((file) => {
    const known = old.get(file.path);
    return known !== file && !sameBytes(known?.bytes ?? null, file.bytes);
  });
  const now = new Set(after.files.map((file) => file.path));
  const removed = before.files.flatMap(({ path }) => (now.has(path) ? [] : [path]));
  const cameOrWent = removed.length > 0 || written.some(({ path }) => !old.has(path));
  return { written, removed, cameOrWent };
}

export function listChangedPaths({ written, removed }: FolderChanges): ReadonlySet<string> {
  return new Set([...removed, ...written.map(({ path }) => path)]);
}

/** A problem of the folder: where it is, what is wrong, what was expected, and how to fix it. */
export interface Problem {
  /** A note says what Cloche left out on purpose, and requires no action. */
  readonly severity: 'error' | 'warning' | 'note';
  /** Short, stable, kebab-case name of the kind of problem. */
  readonly code: string;
  /** Path relative to the tools folder, with `/`; empty if the problem is the folder's. */
  readonly file: string;
  /** 1-based; null if no line applies. */
  readonly line: number | null;
  /** 1-based; null if unknown. */
  readonly column: number | null;
  readonly message: string;
  readonly expected: string;
  readonly hint: string;
  /** The tool with the problem; absent if it is the file's. For a rejected name, that name, which may be a tool of another file. */
  readonly tool?: string;
  /** Subfolders that can be opened instead, because tool files are there. */
  readonly subfolders?: readonly string[];
}
