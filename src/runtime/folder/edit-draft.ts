/** The unsaved text of a file, stored while it is written so that a reload or crash loses nothing. */

export interface EditDraft {
  readonly path: string;
  readonly text: string;
  /** The file's bytes when editing began. */
  readonly base: Uint8Array;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Stores drafts by the id of their folder and by path. */
export interface EditDrafts {
  all(folderId: string): Promise<readonly EditDraft[]>;
  put(folderId: string, draft: EditDraft): Promise<void>;
  remove(folderId: string, path: string): Promise<void>;
}
