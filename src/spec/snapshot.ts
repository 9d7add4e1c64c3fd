/** What Python can be started from more quickly than from its files. */

/**
 * The memory of a Python that has imported the loader and seen no tool code, in a form of the tool worker's own. It
 * came out of a sandbox: the page looks at its size and its hash, at nothing in it.
 */
export interface MemorySnapshot {
  /** Of all that it depends on. */
  readonly key: string;
  readonly content: Blob;
  /** In hexadecimal. */
  readonly sha256: string;
}

/** Bytes of one; it takes about 15 MB. */
export const mostSnapshotBytes = 64 * 1024 * 1024;

/** Where one is kept from visit to visit. */
export interface SnapshotStore {
  /** Null where there is none, or what is there cannot be one. Neither its key nor its hash is looked at. */
  read(): Promise<MemorySnapshot | null>;
  /** Replaces what was kept. @throws where storage is blocked or full; then nothing is kept */
  write(snapshot: MemorySnapshot): Promise<void>;
  clear(): Promise<void>;
  bytes(): Promise<number>;
}
