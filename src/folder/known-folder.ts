/** What is remembered of a tools folder from one visit to the next. */

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

/** A copy in this browser, of a folder that cannot be read again. */
export interface FolderCopy {
  readonly id: string;
  /** When the files were chosen. */
  readonly at: number;
  /** Of all paths and contents: the same files give the same digest. */
  readonly digest: string;
}

/** Where known folders are kept. */
export interface FolderStore {
  all(): Promise<readonly KnownFolder[]>;
  put(folder: KnownFolder): Promise<void>;
  remove(id: string): Promise<void>;
}

/** Which folder was open last: in this tab if it is reloaded, else in any. */
export interface LastFolder {
  get(): string | null;
  set(id: string | null): void;
  /** Counts an attempt to reopen; false where earlier ones did not come to their end. */
  attempt(): boolean;
  /** The attempt has come to its end. */
  settled(): void;
}

/** The last opened first. */
export function byLastOpened(a: KnownFolder, b: KnownFolder): number {
  return b.openedAt - a.openedAt || (a.id < b.id ? -1 : 1);
}
