/** The stored facts about a tools folder. */

import type { FolderKind } from './source.ts';

export interface KnownFolder {
  readonly id: string;
  readonly name: string;
  readonly kind: FolderKind;
  readonly openedAt: number;
  readonly files: number;
  readonly bytes: number;
  readonly handle: FileSystemDirectoryHandle | null;
  readonly copy: FolderCopy | null;
}

/** A copy in the browser's storage, for a folder that cannot be read again. */
export interface FolderCopy {
  readonly id: string;
  /** When the files were chosen; milliseconds since the epoch. */
  readonly at: number;
  /** Covers all paths and contents: the same files have the same digest. */
  readonly digest: string;
}

export interface FolderStore {
  all(): Promise<readonly KnownFolder[]>;
  put(folder: KnownFolder): Promise<void>;
  remove(id: string): Promise<void>;
}

/** Remembers which folder was open last: in this tab after a reload, otherwise in any tab. */
export interface LastFolder {
  get(): string | null;
  set(id: string | null): void;
  /** Counts an attempt to reopen. @returns false if earlier attempts have not finished */
  attempt(): boolean;
  /** Records that the attempt has finished. */
  settled(): void;
}

/** Sorts the most recently opened first. */
export function byLastOpened(a: KnownFolder, b: KnownFolder): number {
  return b.openedAt - a.openedAt || (a.id < b.id ? -1 : 1);
}
