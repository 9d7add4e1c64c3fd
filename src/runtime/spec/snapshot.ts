/** Types of the snapshot, from which Python starts faster than from its files. */

/**
 * Python's memory after it has imported the loader and before any tool code, in a format of the tool worker. It comes
 * from a sandbox, so the page checks its size and hash, and does not parse it.
 */
export interface MemorySnapshot {
  /** Key of everything that the snapshot depends on. */
  readonly key: string;
  readonly content: Blob;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** Limit of a snapshot's size in bytes; it has about 15 MB. The same limit applies to compiled packages. */
export const maxSnapshotBytes = 64 * 1024 * 1024;

/** Stores one snapshot between visits. */
export interface SnapshotStore {
  /** Null if there is none, or the record is invalid. The caller checks the key and the hash. */
  read(): Promise<MemorySnapshot | null>;
  /** Replaces the snapshot. @throws if storage is blocked or full; then none is stored */
  write(snapshot: MemorySnapshot): Promise<void>;
  clear(): Promise<void>;
  bytes(): Promise<number>;
}
