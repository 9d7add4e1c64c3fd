/** What the page can do with the workspaces of tools folders. */

import type { FolderSource } from '../../folder/source.ts';
import type { FolderFile } from '../../spec/folder.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { Workspaces } from '../../workspace/workspaces.ts';

export interface WorkspaceControl {
  readonly workspaces: Workspaces;
  /** There is a directory picker. */
  readonly canPick: boolean;
  /** The browser can keep a folder for this site. */
  readonly canKeep: boolean;
  /** Asks the user for a folder; null where they call it off. @throws {ToolError} */
  pick(): Promise<FileSystemDirectoryHandle | null>;
  zip(files: Iterable<FolderFile>): Promise<Blob>;
  /** What calls of a tools folder ask for its workspace. */
  findFor(source: FolderSource): () => Promise<Workspace | null> | null;
}
