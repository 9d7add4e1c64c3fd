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

export interface WorkspaceStore {
  all(): Promise<readonly WorkspaceChoice[]>;
  put(choice: WorkspaceChoice): Promise<void>;
  remove(id: string): Promise<void>;
}
