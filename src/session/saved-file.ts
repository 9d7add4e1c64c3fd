/** A file that is made of a session. */
export interface SavedFile {
  readonly file: Blob;
  /** Why Cloche would not read it again, for the person; null: it would. */
  readonly problem: string | null;
}
