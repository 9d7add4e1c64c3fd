/** A folder that has been read, and what its changes did. */

import type { FolderSource } from '../folder/source.ts';
import type { FolderSnapshot } from '../spec/folder.ts';

export interface OpenFolder {
  readonly source: FolderSource;
  readonly snapshot: FolderSnapshot;
}

/** The effect of a change of the open folder's files on its tools. */
export interface FolderUpdate {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Tool files whose tools now come from the new version. */
  readonly loaded: readonly string[];
  /** Tool files that changed, or import a file that did, and whose tools stay as they were because of an error. */
  readonly kept: readonly string[];
  /** Tools that no longer exist. */
  readonly gone: readonly { readonly tool: string; readonly file: string }[];
}
