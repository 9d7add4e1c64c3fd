/** Opens tools folders by every method that the browser offers, and shows the progress. */

import type { App, AppStatus, FolderChoices } from '../../app.ts';
import { coalesce } from '../../../runtime/async/coalesce.ts';
import type { FolderSource } from '../../../runtime/folder/source.ts';
import { ToolError, errorText, hintOf } from '../../../runtime/spec/error.ts';
import type { RecentFolders } from './recent-folders.svelte.ts';

/** Why no folder was opened, and what to do next. */
export interface OpeningFailure {
  readonly message: string;
  readonly hint: string;
}

export interface FileInput {
  click(): void;
}

export interface FileInputs {
  readonly folder: FileInput;
  readonly zip: FileInput;
}

/** Interval between progress updates, since drawing slows the opening; milliseconds. */
const updateMs = 200;

export class FolderOpener {
  readonly #app: Pick<App, 'status' | 'folder'>;
  readonly #folders: FolderChoices;
  readonly #recent: Pick<RecentFolders, 'open' | 'permit' | 'replacesOpen'>;
  #inputs: FileInputs | null = null;
  /** Whether the next folder from a file input replaces the open one. */
  #isReplacing = false;
  #status: AppStatus;
  canRefresh: boolean = $state(false);
  failure: OpeningFailure | null = $state.raw(null);
  #shown: AppStatus;
  readonly #showSoon = coalesce(() => {
    this.#show();
  }, updateMs);

  constructor(
    app: Pick<App, 'status' | 'folder'>,
    folders: FolderChoices,
    recent: Pick<RecentFolders, 'open' | 'permit' | 'replacesOpen'>,
  ) {
    this.#app = app;
    this.#folders = folders;
    this.#recent = recent;
    this.#status = app.status.get();
    this.#shown = $state.raw(this.#status);
    this.canRefresh = app.folder.canRefresh;
    app.status.observe((status) => {
      const isNew = status.phase !== this.#status.phase || status.python !== this.#status.python;
      this.#status = status;
      if (isNew) this.#show();
      else this.#showSoon();
    });
  }

  get status(): AppStatus {
    return this.#shown;
  }

  /** Whether a folder is being read, or its files are being inspected. */
  get isOpening(): boolean {
    return ['reading', 'packages', 'starting', 'scanning'].includes(this.#shown.phase);
  }

  /** Whether the browser has a directory picker. */
  get canPick(): boolean {
    return this.#folders.canPick;
  }

  /** Registers the page's file inputs; null when they are removed. */
  useInputs(inputs: FileInputs | null): void {
    this.#inputs = inputs;
  }

  openPicked(): Promise<void> {
    return this.#open(() => this.#folders.pick());
  }

  openSamples(): Promise<void> {
    return this.#open(() => this.#folders.samples());
  }

  /** Opens the samples that are written for other frameworks. */
  openFrameworkSamples(): Promise<void> {
    return this.#open(async () =>
      this.#folders.subfolder(await this.#folders.samples(), 'foreign'),
    );
  }

  openRecent(id: string): Promise<void> {
    return this.#open(() => this.#recent.open(id));
  }

  /** Opens a subfolder of the open folder in its place. */
  openSubfolder(path: string): Promise<void> {
    const source = this.#app.folder.current?.source;
    return this.#open(() =>
      source === undefined ? Promise.resolve(null) : this.#folders.subfolder(source, path),
    );
  }

  openDropped(data: DataTransfer): Promise<void> {
    return this.#open(() => this.#folders.dropped(data));
  }

  /** Opens the browser's folder dialog; {@link openUploaded} receives the choice. */
  chooseUpload(): void {
    this.#isReplacing = false;
    this.#inputs?.folder.click();
  }

  /** Opens the browser's file dialog for a zip; {@link openZipped} receives the choice. */
  chooseZip(): void {
    this.#isReplacing = false;
    this.#inputs?.zip.click();
  }

  openUploaded(files: readonly File[]): Promise<void> {
    return this.#openChosen(() => Promise.resolve(this.#folders.uploaded(files)));
  }

  openZipped(file: File): Promise<void> {
    return this.#openChosen(() => this.#folders.zipped(file));
  }

  /** Reads the open folder again; a copy has to be chosen again. */
  async refresh(): Promise<void> {
    if (this.#app.folder.canRefresh) {
      await this.#recent.permit();
      this.failure = null;
      await this.#app.folder.refresh();
      return;
    }
    if (this.#app.folder.current?.source.kind === 'zip') this.chooseZip();
    else this.chooseUpload();
    this.#isReplacing = true;
  }

  /** Stops opening, or closes the open folder. */
  close(): void {
    this.#app.folder.close();
  }

  /** Shows the failure of another action on a folder. */
  fail(message: string, hint: string): void {
    this.failure = { message, hint };
  }

  dismissFailure(): void {
    this.failure = null;
  }

  #openChosen(choose: () => Promise<FolderSource>): Promise<void> {
    const isReplacing = this.#isReplacing;
    this.#isReplacing = false;
    return this.#open(async () => {
      const source = await choose();
      if (isReplacing) this.#recent.replacesOpen(source);
      return source;
    });
  }

  /**
   * Opens a folder. Nothing changes if the user cancels, or opening fails; {@link failure} then has
   * the reason.
   */
  async #open(choice: () => Promise<FolderSource | null>): Promise<void> {
    this.failure = null;
    try {
      const source = await choice();
      if (source !== null) await this.#app.folder.open(source);
    } catch (thrown) {
      if (isCancelled(thrown)) return;
      this.failure = {
        message: errorText(thrown),
        hint: hintOf(thrown) ?? 'Choose another folder, or use “Upload folder”.',
      };
    }
  }

  #show(): void {
    this.#shown = this.#status;
    this.canRefresh = this.#app.folder.canRefresh;
  }
}

/** Returns whether the user pressed Cancel in the picker. */
function isCancelled(thrown: unknown): boolean {
  return (
    (thrown instanceof DOMException && thrown.name === 'AbortError') ||
    (thrown instanceof ToolError && thrown.code === 'aborted')
  );
}
