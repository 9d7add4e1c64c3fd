/** Whether the app can be opened without a network. */

export type OfflineState =
  /** Not found out yet. */
  | { readonly at: 'unknown' }
  /** Bytes stored, of all that will be. */
  | { readonly at: 'storing'; readonly done: number; readonly total: number }
  | { readonly at: 'ready' }
  /** The person wants no files stored. */
  | { readonly at: 'declined' }
  | { readonly at: 'failed'; readonly message: string; readonly hint: string }
  | { readonly at: 'unavailable'; readonly reason: string };

/** What the page says about the build that it is of. */
export interface Build {
  readonly id: string;
  /** When it was built, as ISO 8601. */
  readonly date: string;
}

export interface StorageUsage {
  /** Files for offline use; bytes. */
  readonly offline: number;
  /** What Python starts from; bytes. */
  readonly snapshot: number;
  /** Python packages that were fetched; bytes. */
  readonly packages: number;
  /** All that the origin stores, as the browser estimates it; null where it does not say. */
  readonly total: number | null;
  /** What the origin may store at most; null where the browser does not say. */
  readonly quota: number | null;
  /** The browser drops nothing without being told to; null where it does not say. */
  readonly persisted: boolean | null;
}
