/** Types of offline use: its state, the build, and the storage in use. */

export type OfflineState =
  /** The state is not determined yet. */
  | { readonly at: 'unknown' }
  /** Bytes: stored so far, and in total. */
  | { readonly at: 'storing'; readonly done: number; readonly total: number }
  | { readonly at: 'ready' }
  /** The user does not want files to be stored. */
  | { readonly at: 'declined' }
  | { readonly at: 'failed'; readonly message: string; readonly hint: string }
  | { readonly at: 'unavailable'; readonly reason: string };

export interface Build {
  readonly id: string;
  /** When it was built, as ISO 8601. */
  readonly date: string;
}

export interface StorageUsage {
  /** Files for offline use; bytes. */
  readonly offline: number;
  /** Snapshot of Python; bytes. */
  readonly snapshot: number;
  /** Downloaded Python packages; bytes. */
  readonly packages: number;
  /** Everything that the origin stores, as the browser estimates it, in bytes; null if unknown. */
  readonly total: number | null;
  /** Limit of the origin's storage in bytes; null if unknown. */
  readonly quota: number | null;
  /** Whether the browser keeps the data until the user deletes it; null if unknown. */
  readonly persisted: boolean | null;
}
