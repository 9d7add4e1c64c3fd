/**
 * What goes over the wires about a workspace: changes of an interpreter's copy in, what tools have written there out.
 *
 * A request first brings the copy up to date, then tells what tools have changed since the request before; what is told
 * is told once. An answer that would grow too large says `more`: the next request, with nothing to bring, has the rest.
 */

export interface FileForCopy {
  readonly path: string;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
  readonly bytes: Uint8Array;
}

export interface WorkspaceRequest {
  /** Another one than the request before: that copy is removed, and this one begins empty. */
  readonly copy: string;
  /** Where the copy lies, absolute. */
  readonly root: string;
  readonly written: readonly FileForCopy[];
  readonly removed: readonly string[];
  /** Folders that are to be there, and that are to be gone where nothing is in them. */
  readonly folders: readonly string[];
  readonly foldersGone: readonly string[];
  /** `contents`: all that has changed; `paths`: where, for whoever does not want it; `nothing`: it stays untold. */
  readonly tell: 'contents' | 'paths' | 'nothing';
  /** Bytes of one file that travel. */
  readonly fileBytes: number;
}

/** What has changed in the copy; every word of it may be made up. */
export interface WorkspaceReport {
  /** Written since; empty bytes where only paths were asked for. */
  readonly files: readonly FileForCopy[];
  readonly removed: readonly string[];
  readonly folders: readonly string[];
  readonly foldersGone: readonly string[];
  readonly left: readonly LeftInCopy[];
  readonly more: boolean;
}

/** What does not leave the copy. */
export interface LeftInCopy {
  readonly path: string;
  readonly why: 'link' | 'special' | 'large' | 'long' | 'many';
}

/** Contents in one answer, about; bytes. */
export const answerBytes = 8 * 1024 * 1024;
/** Files and folders that are looked at in a copy. */
export const mostInCopy = 20_000;
/** Characters of a path in it. */
export const longestPathInCopy = 1_000;
