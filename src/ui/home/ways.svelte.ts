/** Every way to open a tools folder, and to read the open one again. */

import type { App } from '../../app-types.ts';
import type { FolderSource } from '../../folder/source.ts';
import type { FolderChoices } from './folder-choices.ts';
import type { Known } from './known.svelte.ts';
import type { Opening } from './opening.svelte.ts';

/** A file input of the page. */
export interface Chooser {
  click(): void;
}

export interface Choosers {
  readonly folder: Chooser;
  readonly zip: Chooser;
}

export class Ways {
  readonly #app: Pick<App, 'folder' | 'canRefresh'>;
  readonly #folders: FolderChoices;
  readonly #opening: Pick<Opening, 'open' | 'refresh'>;
  readonly #known: Pick<Known, 'open' | 'permit' | 'replacesOpen'>;
  #choosers: Choosers | null = null;
  /** What is chosen next takes the place of what is open. */
  #isReplacing = false;

  constructor(
    app: Pick<App, 'folder' | 'canRefresh'>,
    folders: FolderChoices,
    opening: Pick<Opening, 'open' | 'refresh'>,
    known: Pick<Known, 'open' | 'permit' | 'replacesOpen'>,
  ) {
    this.#app = app;
    this.#folders = folders;
    this.#opening = opening;
    this.#known = known;
  }

  /** The browser has a directory picker. */
  get canPick(): boolean {
    return this.#folders.canPick;
  }

  /** The page's file inputs, while it has them. */
  use(choosers: Choosers | null): void {
    this.#choosers = choosers;
  }

  pick(): Promise<void> {
    return this.#opening.open(() => this.#folders.pick());
  }

  upload(): void {
    this.#isReplacing = false;
    this.#choosers?.folder.click();
  }

  zip(): void {
    this.#isReplacing = false;
    this.#choosers?.zip.click();
  }

  samples(): Promise<void> {
    return this.#opening.open(() => this.#folders.samples());
  }

  known(id: string): Promise<void> {
    return this.#opening.open(() => this.#known.open(id));
  }

  dropped(data: DataTransfer): Promise<void> {
    return this.#opening.open(() => this.#folders.dropped(data));
  }

  /** The folder input has files. */
  uploaded(files: readonly File[]): Promise<void> {
    return this.#chosen(() => Promise.resolve(this.#folders.uploaded(files)));
  }

  /** The zip input has a file. */
  zipped(file: File): Promise<void> {
    return this.#chosen(() => this.#folders.zipped(file));
  }

  /** Reads the open folder again; one that cannot be read again is asked for. */
  async refresh(): Promise<void> {
    if (this.#app.canRefresh) {
      await this.#known.permit();
      await this.#opening.refresh();
      return;
    }
    const isZip = this.#app.folder?.source.kind === 'zip';
    if (isZip) this.zip();
    else this.upload();
    this.#isReplacing = true;
  }

  #chosen(choose: () => Promise<FolderSource>): Promise<void> {
    const isReplacing = this.#isReplacing;
    this.#isReplacing = false;
    return this.#opening.open(async () => {
      const source = await choose();
      if (isReplacing) this.#known.replacesOpen(source);
      return source;
    });
  }
}
