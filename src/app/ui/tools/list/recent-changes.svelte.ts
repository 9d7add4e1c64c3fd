/** Recent changes of the open folder: updated files, and removed tools. */

import type { FolderControl } from '../../../../runtime/open-folder/folder-loader.ts';
import type { FolderUpdate } from '../../../../runtime/open-folder/current-folder.ts';

/** Time for which a change is called new; milliseconds. */
const freshMs = 10_000;
/** Limit of stored removed tools. */
const maxGone = 1_000;

export class RecentChanges {
  /** The number of each file's last change. */
  #fresh: ReadonlyMap<string, number> = $state.raw(new Map());
  #changes = 0;
  #gone: ReadonlyMap<string, { file: string; at: number }> = $state.raw(new Map());
  readonly #timers = new Set<ReturnType<typeof setTimeout>>();

  /** @param onUpdate called for each update, after the state here has changed */
  constructor(
    folder: Pick<FolderControl, 'observeUpdates'>,
    onUpdate: (update: FolderUpdate) => void,
  ) {
    folder.observeUpdates((update) => {
      this.#take(update);
      onUpdate(update);
    });
  }

  /** Whether tools of this file have just changed. */
  isFresh(file: string): boolean {
    return this.#fresh.has(file);
  }

  /** The file of a removed tool, and when it was removed (milliseconds since the epoch). */
  gone(tool: string): { file: string; at: number } | undefined {
    return this.#gone.get(tool);
  }

  /** Forgets everything, because another folder is open. */
  clear(): void {
    this.#fresh = new Map();
    this.#gone = new Map();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  #take({ at, loaded, gone }: FolderUpdate): void {
    const all = new Map(this.#gone);
    for (const { tool, file } of gone) all.set(tool, { file, at });
    this.#gone = new Map([...all].slice(-maxGone));
    if (loaded.length === 0) return;
    const change = (this.#changes += 1);
    this.#fresh = new Map([...this.#fresh, ...loaded.map((file) => [file, change] as const)]);
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#fresh = new Map([...this.#fresh].filter(([, last]) => last !== change));
    }, freshMs);
    this.#timers.add(timer);
  }
}
