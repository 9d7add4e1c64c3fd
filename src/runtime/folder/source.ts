/** Where a tools folder comes from: the interface that the reader uses, and the source of a folder in memory. */

import type { FolderFile } from '../spec/folder.ts';

/** `own`: kept in the browser's private file system, where Cloche is the only one to change it. */
export type FolderKind = 'directory' | 'upload' | 'zip' | 'samples' | 'own';

export interface FolderSource {
  readonly name: string;
  readonly kind: FolderKind;
  /** Whether `entries` can be called again later, and returns the files as they are then. */
  readonly rereadable: boolean;
  /** The directory's handle. A folder on disk can be reopened by it at the next visit. */
  readonly handle?: FileSystemDirectoryHandle;
  /** When the files were copied, if this is a copy; milliseconds since the epoch. */
  readonly copiedAt?: number;
  /** Typed functions of files without specs are tools, unless the file marks tools. */
  readonly functionsAreTools?: true;
  /**
   * Yields every file in the folder and its subfolders, files near the top first, otherwise in no particular
   * order. Rejects if the folder itself cannot be listed.
   */
  entries(signal: AbortSignal, walk: FolderWalk): AsyncIterable<SourceEntry>;
  /**
   * Opens one file as it is now, without listing the folder. Rejects if there is none at this path. Absent if `entries`
   * costs no more.
   * @param path as {@link entries} has yielded it, or as {@link composeName} writes it
   */
  readonly open?: (path: string) => Promise<SourceFile>;
  /**
   * Reports changes from now on. Resolves with a function that stops it, or with null if the browser cannot
   * report changes. Absent if files cannot change.
   */
  observe?(onNotice: (notice: ChangeNotice) => void): Promise<(() => void) | null>;
}

/**
 * Changed paths of files or folders, as {@link composeName} writes them. `anything` means that the paths are unknown,
 * `ended` that observing has ended.
 */
export type ChangeNotice = readonly string[] | 'anything' | 'ended';

/** Callbacks of the reader while a source walks through its subfolders. */
export interface FolderWalk {
  /** Called once for each subfolder. @returns whether to enter it */
  enter(folderPath: string): boolean;
  /** Reports a subfolder that could not be listed completely. */
  unlisted(folderPath: string, error: unknown): void;
  /** Reports an entry that cannot be used under its name. @param fault the end of a sentence */
  refused?(path: string, fault: string): void;
  /** Reports a symbolic link, where the source sees them. */
  linked?(path: string): void;
  /** Reports that the encoding of names had to be guessed. */
  guessed?(guess: GuessedNames): void;
}

/** The encoding that was assumed for names that do not state theirs, and one of these names. */
export interface GuessedNames {
  readonly encoding: string;
  readonly example: string;
}

export interface SourceEntry {
  /** Relative to the folder, with `/`. Names are as in the file system, not validated. */
  readonly path: string;
  /** Opens the file as it is now; can be called again. */
  file(): Promise<SourceFile>;
  /** Bytes, if known without opening the file. Files that are too large are then never opened. */
  readonly size?: number;
}

/**
 * The parts of a `File` that are used. Files in memory implement only these, which is cheaper than a real
 * `File`.
 */
export type SourceFile = Pick<File, 'size' | 'lastModified' | 'arrayBuffer'>;

/** Wraps bytes as a file. @param turn yields to the page when necessary, since reading from memory never pauses */
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
      // Copy a part of a larger buffer, so that it does not keep the whole buffer in memory.
      const isWhole = bytes.byteLength === bytes.buffer.byteLength;
      return isWhole ? bytes.buffer : bytes.slice().buffer;
    },
  };
}

/**
 * Returns a tools folder in memory.
 *
 * @param current returns the files as they are now
 * @param functionsAreTools whether typed functions of files without specs are tools
 */
export function memorySource(
  name: string,
  current: () => readonly FolderFile[],
  functionsAreTools: boolean,
): FolderSource {
  return {
    name,
    kind: 'upload',
    rereadable: true,
    ...(functionsAreTools && { functionsAreTools }),
    async *entries() {
      for (const { path, bytes, modifiedAt } of current()) {
        // These files are few enough to be read without pauses.
        const file = fileInMemory(new Uint8Array(bytes), modifiedAt, () => Promise.resolve());
        yield await Promise.resolve({
          path,
          size: bytes.byteLength,
          file: () => Promise.resolve(file),
        });
      }
    },
  };
}
