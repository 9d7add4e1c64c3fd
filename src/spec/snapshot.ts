/** What Python can be started from more quickly than from its files. */

/**
 * The memory of a Python that has imported the loader and seen no tool code, in a form of the tool worker's own. It
 * came out of a sandbox: the page looks at its size and its hash, at nothing in it.
 */
export interface MemorySnapshot {
  readonly content: Blob;
  /** In hexadecimal. */
  readonly sha256: string;
}

/** Bytes of one; it takes about 15 MB. */
export const mostSnapshotBytes = 64 * 1024 * 1024;

/** Where one is kept from visit to visit. */
export interface SnapshotStore {
  /** The snapshot with this key; null where there is none, or what is there cannot be it. Its hash is not looked at. */
  read(key: string): Promise<MemorySnapshot | null>;
  /** Replaces what was kept. @throws where storage is blocked or full; then nothing is kept */
  write(key: string, snapshot: MemorySnapshot): Promise<void>;
  clear(): Promise<void>;
  bytes(): Promise<number>;
}
