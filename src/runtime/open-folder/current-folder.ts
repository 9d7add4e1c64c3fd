/**
 * The open folder as it was last read, its packages, and the effect of its changes on its tools. The folder loader sets it;
 * code that depends on the open folder reads it.
 */

import type { FolderSource } from '../folder/source.ts';
import type { LoggedCall } from '../spec/call.ts';
import type { FolderSnapshot, Problem } from '../spec/folder.ts';
import type { LockedWheel } from '../packages/store.ts';

/** A folder that has been read. */
export interface OpenFolder {
  readonly source: FolderSource;
  readonly snapshot: FolderSnapshot;
}

/** The effect of a change of the open folder's files on its tools. */
export interface FolderUpdate {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Tool files whose tools now come from the new version. */
  readonly loaded: readonly string[];
  /** Tool files that changed, or import a file that did, and whose tools stay as they were because of an error. */
  readonly kept: readonly string[];
  /** Tools that no longer exist. */
  readonly gone: readonly { readonly tool: string; readonly file: string }[];
}

export class CurrentFolder {
  readonly #ids: WeakMap<FolderSource, string>;
  #current: OpenFolder | null = null;

  /** @param ids ids of the known folders, by their sources */
  constructor(ids: WeakMap<FolderSource, string>) {
    this.#ids = ids;
  }

  get current(): OpenFolder | null {
    return this.#current;
  }

  set(current: OpenFolder | null): void {
    this.#current = current;
  }

  /** The id of the open folder; undefined if no folder is open or its id is not known yet. */
  get id(): string | undefined {
    return this.#current === null ? undefined : this.idOf(this.#current.source);
  }

  /** The id of a known folder; undefined if it is not known, or not yet. */
  idOf(source: FolderSource): string | undefined {
    return this.#ids.get(source);
  }

  /** Name and id, as logs and sessions store them; empty if no folder is open. */
  get reference(): Pick<LoggedCall, 'folder' | 'folderId'> {
    return { folder: this.#current?.snapshot.name ?? '', folderId: this.id ?? '' };
  }
}

/** The packages of the open folder, as shown to the user. */
export interface FolderPackages {
  /** Whether the folder's files declare packages. */
  readonly declares: boolean;
  readonly installed: readonly LockedWheel[];
  readonly problems: readonly Problem[];
}

export const noPackages: FolderPackages = { declares: false, installed: [], problems: [] };
