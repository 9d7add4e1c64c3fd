/** The stored choice of a workspace for a tools folder. */

import type { Writing } from './workspace.ts';

export interface WorkspaceChoice {
  /** Id of the tools folder. */
  readonly id: string;
  /** A key that differs for every choice. */
  readonly key: string;
  readonly name: string;
  /** Null if the workspace is a folder in the browser's storage, named by `key`. */
  readonly handle: FileSystemDirectoryHandle | null;
  readonly writing: Writing;
  /** Name of the tools folder. */
  readonly tools: string;
}

/** Stores choices. Its writes are announced to the other pages of the browser. */
export interface WorkspaceStore {
  all(): Promise<readonly WorkspaceChoice[]>;
  get(id: string): Promise<WorkspaceChoice | undefined>;
  /**
   * Stores a choice, unless another page has stored one that this page does not know.
   *
   * @param known key of the choice that this page knows; null if it knows none
   * @returns the choice that is stored afterwards
   */
  put(choice: WorkspaceChoice, known: string | null): Promise<WorkspaceChoice>;
  remove(id: string): Promise<void>;
  /** Calls the listener with the id of the tools folder whose choice another page has stored or removed. */
  observe(listener: (id: string) => void): void;
}
