/** The list of known folders, in storage and for observers. */

import { Observable } from '../hooks/observe.ts';
import type { CopyStore } from './folder-copy.ts';
import { byLastOpened, type FolderStore, type KnownFolder } from './known-folder.ts';

export interface KnownFoldersState {
  /** The most recently opened first. */
  readonly folders: readonly KnownFolder[];
  readonly current: string | null;
  /** When the open folder's files were copied; null if they have just been chosen or are read from disk. */
  readonly copiedAt: number | null;
  /** The last folder, if it needs the user's permission to be read again. */
  readonly waiting: KnownFolder | null;
  /** A message about what could not be stored, and why. */
  readonly notice: string | null;
}

export interface KnownListDeps {
  readonly store: FolderStore;
  readonly copies: CopyStore;
  report(thrown: unknown): void;
}

export class KnownList extends Observable<KnownFoldersState> {
  readonly #deps: KnownListDeps;
  #state: KnownFoldersState = {
    folders: [],
    current: null,
    copiedAt: null,
    waiting: null,
    notice: null,
  };

  constructor(deps: KnownListDeps) {
    super((thrown) => deps.report(thrown));
    this.#deps = deps;
  }

  get state(): KnownFoldersState {
    return this.#state;
  }

  change(change: Partial<KnownFoldersState>): void {
    this.#state = { ...this.#state, ...change };
    this.emit(this.#state);
  }

  find(id: string | null | undefined): KnownFolder | undefined {
    return this.#state.folders.find((folder) => folder.id === id);
  }

  /** Reloads the list, which other tabs may have changed. @returns false if that fails */
  async load(): Promise<boolean> {
    try {
      this.change({ folders: [...(await this.#deps.store.all())].sort(byLastOpened) });
      return true;
    } catch {
      // The status reports failing storage. Folders that were opened during this visit stay in the list.
      return false;
    }
  }

  async put(folder: KnownFolder): Promise<void> {
    const others = this.#state.folders.filter(({ id }) => id !== folder.id);
    this.change({ folders: [folder, ...others].sort(byLastOpened) });
    await this.#deps.store.put(folder).catch(ignored);
  }

  async remove(id: string): Promise<void> {
    const copy = this.find(id)?.copy;
    this.change({
      folders: this.#state.folders.filter((folder) => folder.id !== id),
      ...(this.#state.current === id && { current: null }),
      ...(this.#state.waiting?.id === id && { waiting: null }),
    });
    await this.#deps.store.remove(id).catch(ignored);
    if (copy) await this.#deps.copies.remove(copy.id).catch(ignored);
  }

  /** Deletes copies that belong to no folder, such as incomplete ones. Call it only after a successful {@link load}. */
  async sweep(): Promise<void> {
    const { copies } = this.#deps;
    const usedIds = new Set(this.#state.folders.map(({ copy }) => copy?.id));
    for (const id of await copies.ids()) if (!usedIds.has(id)) await copies.remove(id);
  }
}

// Without storage, folders are known for this visit. The status line reports the failure.
function ignored(): void {
  return;
}
