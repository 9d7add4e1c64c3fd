/** Opening a folder, by whichever way, and how far it has come. */

import type { App, AppStatus } from '../../app-types.ts';
import type { FolderSource } from '../../folder/source.ts';
import { ToolError, errorText } from '../../spec/error.ts';
import { coalesced } from '../../async/coalesce.ts';

/** Why nothing was opened, and what to do. */
export interface OpeningFailure {
  readonly message: string;
  readonly hint: string;
}

/** Milliseconds between two pictures of progress: drawing takes time from what is making progress. */
const pictureMs = 200;

export class Opening {
  readonly #app: Pick<App, 'open' | 'refresh' | 'close' | 'canRefresh' | 'status'>;
  readonly #dispose: () => void;
  #status: AppStatus;
  #canRefresh: boolean = $state(false);
  #failure: OpeningFailure | null = $state.raw(null);
  #shown: AppStatus;
  readonly #showSoon = coalesced(() => {
    this.#show();
  }, pictureMs);

  constructor(app: Pick<App, 'open' | 'refresh' | 'close' | 'canRefresh' | 'status'>) {
    this.#app = app;
    this.#status = app.status.get();
    this.#shown = $state.raw(this.#status);
    this.#canRefresh = app.canRefresh;
    this.#dispose = app.status.observe((status) => {
      const news = status.phase !== this.#status.phase || status.python !== this.#status.python;
      this.#status = status;
      if (news) this.#show();
      else this.#showSoon();
    });
  }

  get status(): AppStatus {
    return this.#shown;
  }

  get canRefresh(): boolean {
    return this.#canRefresh;
  }

  get failure(): OpeningFailure | null {
    return this.#failure;
  }

  /** A folder is being read, or its files inspected. */
  get underWay(): boolean {
    return ['reading', 'packages', 'starting', 'scanning'].includes(this.#shown.phase);
  }

  /**
   * Opens what a person chose. A choice that was called off changes nothing; one that cannot be
   * opened leaves what is open as it is, and says why.
   */
  async open(choice: () => Promise<FolderSource | null>): Promise<void> {
    this.#failure = null;
    try {
      const source = await choice();
      if (source !== null) await this.#app.open(source);
    } catch (thrown) {
      if (isCalledOff(thrown)) return;
      const hint = thrown instanceof ToolError ? thrown.hint : undefined;
      this.#failure = {
        message: errorText(thrown),
        hint: hint ?? 'Choose another folder, or try Upload folder.',
      };
    }
  }

  async refresh(): Promise<void> {
    this.#failure = null;
    await this.#app.refresh();
  }

  /** Stops opening, or closes what is open. */
  close(): void {
    this.#app.close();
  }

  dismissFailure(): void {
    this.#failure = null;
  }

  dispose(): void {
    this.#dispose();
    this.#showSoon.cancel();
  }

  #show(): void {
    this.#shown = this.#status;
    this.#canRefresh = this.#app.canRefresh;
  }
}

/** The picker's own Cancel button. */
function isCalledOff(thrown: unknown): boolean {
  return (
    (thrown instanceof DOMException && thrown.name === 'AbortError') ||
    (thrown instanceof ToolError && thrown.code === 'aborted')
  );
}
