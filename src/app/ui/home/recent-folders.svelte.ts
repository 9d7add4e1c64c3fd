/** State of the list of recent folders. */

import type { KnownFolder } from '../../../runtime/folder/known-folder.ts';
import type { KnownFolders } from '../../../runtime/folder/known-folders.ts';
import type { KnownFoldersState } from '../../../runtime/folder/known-folder-list.ts';
import type { FolderSource } from '../../../runtime/folder/source.ts';
import { ToolError } from '../../../runtime/spec/error.ts';
import { Observed } from '../parts/observed.ts';

type Shown = Pick<
  KnownFolders,
  'state' | 'observe' | 'load' | 'open' | 'replacesOpen' | 'permit' | 'remove' | 'dismissNotice'
>;

export class RecentFolders {
  #known: Shown | null = $state.raw(null);
  #state: Observed<KnownFoldersState | null> = $state.raw(new Observed(() => null));
  /** Whether it is still unknown if a folder will be reopened. */
  isReopening: boolean = $state(false);

  constructor({ expected, ready }: { expected: boolean; ready: Promise<Shown> }) {
    this.isReopening = expected;
    ready.then(
      (known) => {
        this.#known = known;
        this.isReopening = false;
        this.#state = new Observed(() => known.state, known);
      },
      // The code that stores folders could not be loaded; folders can still be opened.
      () => (this.isReopening = false),
    );
  }

  /** The recent folders, the last opened one first. */
  get folders(): readonly KnownFolder[] {
    return this.#state.current?.folders ?? [];
  }

  get current(): string | null {
    return this.#state.current?.current ?? null;
  }

  get copiedAt(): number | null {
    return this.#state.current?.copiedAt ?? null;
  }

  /** The last folder, if reading it again needs a click. */
  get waiting(): KnownFolder | null {
    return this.#state.current?.waiting ?? null;
  }

  get notice(): string | null {
    return this.#state.current?.notice ?? null;
  }

  /** Reloads the list, for changes in other tabs. */
  load(): void {
    void this.#known?.load();
  }

  /** Opens a recent folder. Call it in a click handler, since the browser may ask for permission. */
  open(id: string): Promise<FolderSource> {
    if (this.#known !== null) return this.#known.open(id);
    return Promise.reject(
      new ToolError('not-found', 'The list of recent folders is not loaded yet. Try again.'),
    );
  }

  /** Records that the user has chosen `source` to replace the open folder. */
  replacesOpen(source: FolderSource): void {
    this.#known?.replacesOpen(source);
  }

  /** Asks for permission to read the open folder again, if the permission has expired. */
  async permit(): Promise<void> {
    // If permission is denied, reading the folder fails and shows why.
    await this.#known?.permit();
  }

  async remove(id: string): Promise<void> {
    await this.#known?.remove(id);
  }

  dismissNotice(): void {
    this.#known?.dismissNotice();
  }
}
