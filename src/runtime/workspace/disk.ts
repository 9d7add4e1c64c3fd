/** The interface through which a workspace reads and writes its folder. */

import type { MayAsk } from '../folder/permission.ts';
import type { FolderSource } from '../folder/source.ts';
import type { FolderFile } from '../spec/folder.ts';

export interface WorkspaceDisk {
  readonly source: FolderSource;
  /**
   * Whether the folder may be read. With `ask`, may show a permission prompt, which browsers allow
   * only while they handle a click.
   */
  mayRead(may: MayAsk): Promise<boolean>;
  mayWrite(may: MayAsk): Promise<boolean>;
  /** Reads a file as it is now; null if it does not exist. Rejects if it is unreadable or a folder. */
  read(path: string): Promise<FolderFile | null>;
  /** Writes a file completely, or leaves it as it was. Creates its parent folders. */
  write(path: string, bytes: Uint8Array): Promise<FolderFile>;
  remove(path: string): Promise<void>;
  makeFolder(path: string): Promise<void>;
  /** Removes a folder if it is empty. */
  removeFolder(path: string): Promise<void>;
}
