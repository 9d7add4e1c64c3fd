/** The ways to choose a tools folder that this browser supports. */

import type { KnownFolders } from '../../folder/known-folders.ts';
import type { FolderSource } from '../../folder/source.ts';

/** Known folders come behind the first paint. */
export interface KnownAccess {
  /** A folder was open at the last visit, and will be again in a moment. */
  readonly expected: boolean;
  readonly ready: Promise<KnownFolders>;
}

export interface FolderChoices {
  /** There is a directory picker. */
  readonly canPick: boolean;
  /** Asks the user; null, or a rejection with an AbortError, where they call it off. */
  pick(): Promise<FolderSource | null>;
  /** Must be called while the drop event is being handled. */
  dropped(data: DataTransfer): Promise<FolderSource>;
  /** A chosen zip file. Rejects where it cannot be opened. */
  zipped(file: File): Promise<FolderSource>;
  /** The built-in samples. */
  samples(): Promise<FolderSource>;
  /** The files of a directory input, with their paths. */
  uploaded(files: readonly File[]): FolderSource;
  /** Those that were opened before. */
  readonly known: KnownAccess;
}
