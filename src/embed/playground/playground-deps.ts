/** The dependencies of a playground, and the interface of the part that is loaded for Python. */

import type {
  FromPlayground,
  LabelName,
  PlaygroundFile,
  PlaygroundResult,
  PlaygroundSetup,
} from '../../runtime/protocol/embed.ts';

export interface PlaygroundDeps {
  readonly target: HTMLElement;
  readonly setup: PlaygroundSetup;
  /** Sends an event to the page around it. */
  readonly send: (message: FromPlayground) => void;
  /** Address of the app, with a trailing slash. */
  readonly base: URL;
  readonly window: Window;
}

/** A playground with its whole interface, which can run Python. */
export interface FullPlayground {
  /**
   * Resolves with how the call ended; rejects if there is no tool to run, or its arguments are not JSON.
   * @param by who starts the run: if it is the reader, the page scrolls to the result
   */
  run(by?: 'reader' | 'page'): Promise<PlaygroundResult>;
  cancel(): void;
  setFiles(files: readonly PlaygroundFile[]): void;
  setArguments(args: string): void;
  setWords(words: Readonly<Record<LabelName, string>>): void;
  edit(): void;
  /** Starts Python and loads the source. Never rejects: the playground shows a failure. */
  open(): void;
}
