/** The folders that were opened before, as the page shows them. */

import type { KnownFolder } from '../../folder/known-folder.ts';
import type { KnownFolders } from '../../folder/known-folders.ts';
import type { KnownFoldersState } from '../../folder/known-list.ts';
import type { FolderSource } from '../../folder/source.ts';
import { ToolError } from '../../spec/error.ts';

type Shown = Pick<
  KnownFolders,
  'state' | 'observe' | 'load' | 'open' | 'replacesOpen' | 'permit' | 'remove' | 'dismissNotice'
>;

export class RecentFolders {
  #known: Shown | null = $state.raw(null);
  #state: KnownFoldersState | null = $state.raw(null);
  #isExpected: boolean = $state(false);
  #isDisposed = false;
  #stop: () => void = () => undefined;

  constructor({ expected, ready }: { expected: boolean; ready: Promise<Shown> }) {
    this.#isExpected = expected;
    ready.then(
      (known) => {
        if (!this.#isDisposed) this.#begin(known);
      },
      // The part of the page that remembers could not be fetched: folders can be opened without it.
      () => (this.#isExpected = false),
    );
  }

  /** The last opened first. */
  get folders(): readonly KnownFolder[] {
    return this.#state?.folders ?? [];
  }

  get current(): string | null {
    return this.#state?.current ?? null;
  }

  get copiedAt(): number | null {
    return this.#state?.copiedAt ?? null;
  }

  /** The last one, where it takes a click to read it again. */
  get waiting(): KnownFolder | null {
    return this.#state?.waiting ?? null;
  }

  get notice(): string | null {
    return this.#state?.notice ?? null;
  }

  /** It is not known yet whether a folder will be reopened. */
  get isReopening(): boolean {
    return this.#isExpected;
  }

  /** Looks for what other tabs have changed. */
  load(): void {
    void this.#known?.load();
  }

  /** A known folder, to be opened; call it while a click is handled. */
  open(id: string): Promise<FolderSource> {
    if (this.#known !== null) return this.#known.open(id);
    return Promise.reject(
      new ToolError('not-found', 'The list of recent folders is not loaded yet. Try again.'),
    );
  }

  /** The user chose `source` again in place of the open folder. */
  replacesOpen(source: FolderSource): void {
    this.#known?.replacesOpen(source);
  }

  /** Asks for the permission to read the open folder again, where that has ended. */
  async permit(): Promise<void> {
    // Where it is refused, reading says so.
    await this.#known?.permit();
  }

  async remove(id: string): Promise<void> {
    await this.#known?.remove(id);
  }

  dismissNotice(): void {
    this.#known?.dismissNotice();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#stop();
  }

  #begin(known: Shown): void {
    this.#known = known;
    this.#state = known.state;
    this.#isExpected = false;
    this.#stop = known.observe((state) => {
      this.#state = state;
    });
  }
}
