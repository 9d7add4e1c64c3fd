/** The folder behind a workspace, as the workspace sees it. */

import type { FolderSource } from '../folder/source.ts';
import type { FolderFile } from '../spec/folder.ts';

export interface WorkspaceDisk {
  readonly source: FolderSource;
  /** With `ask` it may show a question, which browsers allow only while a click is handled. */
  mayRead(ask: boolean): Promise<boolean>;
  mayWrite(ask: boolean): Promise<boolean>;
  /** The file as it is at this moment; null where there is none. Rejects where it cannot be read, or is a folder. */
  read(path: string): Promise<FolderFile | null>;
  /** All of it is there when this resolves, else the file is as it was. Makes the folders around it. */
  write(path: string, bytes: Uint8Array): Promise<FolderFile>;
  remove(path: string): Promise<void>;
  makeFolder(path: string): Promise<void>;
  /** Leaves one that is not empty as it is. */
  removeFolder(path: string): Promise<void>;
}
