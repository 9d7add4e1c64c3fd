/** The problems of a file's unsaved text, found while the user types. */

import type { App } from '../../app.ts';
import { isSupportFile, isToolFile } from '../../../runtime/folder/tool-files.ts';
import type { Problem } from '../../../runtime/spec/folder.ts';
import { bytesOf } from './text-bytes.ts';

/** Milliseconds without a key before the text is checked. */
const pauseMs = 700;
/** Longer texts are checked when they are saved. */
const maxChars = 200_000;

interface Checked {
  readonly text: string;
  readonly problems: readonly Problem[];
}

export class DraftCheck {
  readonly #folder: Pick<App['folder'], 'check'>;
  readonly #path: string;
  readonly #life = new AbortController();
  /** The last checked text with its problems; null if the problems of the saved text apply. */
  checked: Checked | null = $state.raw(null);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #wanted: string | null = null;
  #isChecking = false;

  constructor(folder: Pick<App['folder'], 'check'>, path: string) {
    this.#folder = folder;
    this.#path = path;
  }

  /** @param text the text as it is now; null if it is saved */
  follow(text: string | null): void {
    clearTimeout(this.#timer);
    this.#wanted = null;
    if (text === null) this.checked = null;
    else if (
      isToolFile(this.#path) &&
      text.length <= maxChars &&
      !isSupportFile(this.#path, () => text)
    )
      this.#timer = setTimeout(() => {
        this.#wanted = text;
        void this.#check();
      }, pauseMs);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#wanted = null;
    this.#life.abort();
  }

  /** Checks one text at a time, because an aborted check costs an interpreter. */
  async #check(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    while (this.#wanted !== null) {
      const text: string = this.#wanted;
      this.#wanted = null;
      const problems = await this.#folder.check(this.#life.signal, this.#path, bytesOf(text));
      if (problems !== null && !this.#life.signal.aborted) this.checked = { text, problems };
    }
    this.#isChecking = false;
  }
}
