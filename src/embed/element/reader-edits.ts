/** Keeps what the reader has changed in the frame for when the frame is created again. */

import type { FromPlayground, PlaygroundFile } from '../../runtime/protocol/embed.ts';
import { dedent } from './inline-source.ts';

type Change = Extract<FromPlayground, { type: 'change' }>;

export class ReaderEdits {
  #files: readonly PlaygroundFile[] | null = null;
  #tool: string | null = null;
  #arguments: string | null = null;

  take({ files, tool, arguments: args }: Change): void {
    this.#files = files;
    this.#tool = tool;
    this.#arguments = args;
  }

  /** @param written what the page has given */
  files(written: readonly PlaygroundFile[]): readonly PlaygroundFile[] {
    return this.#files ?? written;
  }

  tool(written: string): string {
    return this.#tool ?? written;
  }

  arguments(written: string): string {
    return this.#arguments ?? written;
  }

  /**
   * Replaces the reader's files with new ones from the page.
   * @returns false if they equal the reader's own, as when the page writes into the tag what the reader types
   */
  replaceFiles(files: readonly PlaygroundFile[]): boolean {
    if (this.#files !== null && areSame(files, this.#files)) return false;
    this.#files = null;
    return true;
  }

  /** Replaces the arguments by the same rules as {@link replaceFiles}. */
  replaceArguments(text: string): boolean {
    if (this.#arguments === text) return false;
    this.#arguments = null;
    return true;
  }

  /** Drops the reader's tool and arguments, because the page shows another tool. */
  replaceTool(): void {
    this.#tool = null;
    this.#arguments = null;
  }
}

/** Returns whether the files are the same, apart from what reading a tag changes. */
function areSame(some: readonly PlaygroundFile[], others: readonly PlaygroundFile[]): boolean {
  const read = (files: readonly PlaygroundFile[]): string =>
    JSON.stringify(files.map(({ path, text }) => [path, dedent(text)]));
  return read(some) === read(others);
}
