/** Which workspace a tools folder has, as it is remembered. */

import type { Writing } from './workspace.ts';

export interface WorkspaceChoice {
  /** Of the tools folder. */
  readonly id: string;
  /** New for every choice. */
  readonly key: string;
  readonly name: string;
  /** Null: a folder that this browser keeps, named by the key. */
  readonly handle: FileSystemDirectoryHandle | null;
  readonly writing: Writing;
  /** Name of the tools folder. */
  readonly tools: string;
}

/** Where choices are kept. */
export interface WorkspaceStore {
  all(): Promise<readonly WorkspaceChoice[]>;
  put(choice: WorkspaceChoice): Promise<void>;
  remove(id: string): Promise<void>;
}
