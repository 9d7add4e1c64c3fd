/** The list of known folders: as it is kept, and as it is shown to who watches. */

import { createObservers } from '../hooks/observe.ts';
import type { CopyStore } from './folder-copy.ts';
import { byLastOpened, type FolderStore, type KnownFolder } from './known-folder.ts';

export interface KnownFoldersState {
  /** The last opened first. */
  readonly folders: readonly KnownFolder[];
  /** Id of the one that is open. */
  readonly current: string | null;
  /** When the files of the open one were copied; null where they were just chosen, or are read from disk. */
  readonly copiedAt: number | null;
  /** The last one, where a person has to allow that it is read again. */
  readonly waiting: KnownFolder | null;
  /** What could not be kept, and why. */
  readonly notice: string | null;
}

export interface KnownListDeps {
  readonly store: FolderStore;
  readonly copies: CopyStore;
  report(thrown: unknown): void;
}

export class KnownList {
  readonly #deps: KnownListDeps;
  readonly #observers;
  #state: KnownFoldersState = {
    folders: [],
    current: null,
    copiedAt: null,
    waiting: null,
    notice: null,
  };

  constructor(deps: KnownListDeps) {
    this.#deps = deps;
    this.#observers = createObservers<KnownFoldersState>((thrown) => {
      deps.report(thrown);
    });
  }

  get state(): KnownFoldersState {
    return this.#state;
  }

  observe(listener: (state: KnownFoldersState) => void): () => void {
    return this.#observers.observe(listener);
  }

  change(change: Partial<KnownFoldersState>): void {
    this.#state = { ...this.#state, ...change };
    this.#observers.emit(this.#state);
  }

  find(id: string | null | undefined): KnownFolder | undefined {
    return this.#state.folders.find((folder) => folder.id === id);
  }

  /** Reads the list anew, which other tabs may have changed; false where that fails. */
  async load(): Promise<boolean> {
    try {
      this.change({ folders: [...(await this.#deps.store.all())].sort(byLastOpened) });
      return true;
    } catch {
      // Storage that fails is told elsewhere; what was opened in this visit stays known.
      return false;
    }
  }

  async put(folder: KnownFolder): Promise<void> {
    const others = this.#state.folders.filter(({ id }) => id !== folder.id);
    this.change({ folders: [folder, ...others].sort(byLastOpened) });
    await this.#deps.store.put(folder).catch(ignored);
  }

  /** Forgets a folder and its copy. */
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

  /** Removes copies that belong to no folder, such as half-written ones. Only after a {@link load} that went well. */
  async sweep(): Promise<void> {
    const { copies } = this.#deps;
    const kept = new Set(this.#state.folders.map(({ copy }) => copy?.id));
    for (const id of await copies.ids()) if (!kept.has(id)) await copies.remove(id);
  }
}

// Without storage, folders are known for this visit; the status line says that storage fails.
function ignored(): void {
  return;
}
