/** Where a tools folder comes from, as the reader sees it. */

export type FolderKind = 'directory' | 'upload' | 'zip' | 'samples';

export interface FolderSource {
  readonly name: string;
  readonly kind: FolderKind;
  /** Whether `entries` can be asked again later and tells the files as they are then. */
  readonly rereadable: boolean;
  /** The handle behind it, by which it can be found again at the next visit. */
  readonly handle?: FileSystemDirectoryHandle;
  /** When the files were copied, where they are a copy. */
  readonly copiedAt?: number;
  /**
   * Every file below the folder, in no particular order, those near the top first.
   * Rejects where the folder itself cannot be listed.
   */
  entries(signal: AbortSignal, walk: FolderWalk): AsyncIterable<SourceEntry>;
  /**
   * Tells of every change from now on. Resolves to what ends that, or to null where the browser cannot tell; absent
   * where files cannot change.
   */
  observe?(onNotice: (notice: ChangeNotice) => void): Promise<(() => void) | null>;
}

/** Paths that have changed in any way, as files or as folders; or that anything may have; or that no more will be told. */
export type ChangeNotice = readonly string[] | 'anything' | 'ended';

/** What the reader decides and hears while a source goes through its sub-folders. */
export interface FolderWalk {
  /** Asked once for each sub-folder: whether to go into it. */
  enter(folderPath: string): boolean;
  /** A sub-folder could not be listed, or not to its end. */
  unlisted(folderPath: string, error: unknown): void;
}

export interface SourceEntry {
  /** Inside the folder, with `/`; names are as the file system gives them, good or bad. */
  readonly path: string;
  /** The file as it is now; may be asked again. */
  file(): Promise<SourceFile>;
  /** Bytes, where they are known without opening the file: what is too much is then never opened. */
  readonly size?: number;
}

/** What is asked of a file: the browser's own, or one in memory, which costs less to make. */
export type SourceFile = Pick<File, 'size' | 'lastModified' | 'arrayBuffer'>;

/** `turn` gives the page its turn where that is due: what is in memory is read without any pause. */
export function fileInMemory(
  bytes: Uint8Array<ArrayBuffer>,
  modifiedAt: number,
  turn: () => Promise<void>,
): SourceFile {
  return {
    size: bytes.byteLength,
    lastModified: modifiedAt,
    async arrayBuffer() {
      await turn();
      // A part of a larger buffer must not take all of it along.
      const isWhole = bytes.byteLength === bytes.buffer.byteLength;
      return isWhole ? bytes.buffer : bytes.slice().buffer;
    },
  };
}
