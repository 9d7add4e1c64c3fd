/**
 * Holds the open folder as it was last read. The folder loader sets it; code that depends on the open folder reads it.
 */

import type { FolderSource } from '../folder/source.ts';
import type { LoggedCall } from '../spec/call.ts';
import type { OpenFolder } from './open-folder.ts';

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
