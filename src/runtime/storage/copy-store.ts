/** Copies of folders, stored in the browser. */

import type { CopyManifest, CopyStore } from '../folder/folder-copy.ts';
import type { Database } from './db.ts';
import { openContents } from './kept-content.ts';

/** @param storage `navigator.storage`; undefined if the page is not a secure context */
export function openCopyStore(
  storage: Pick<StorageManager, 'getDirectory'> | undefined,
  basePath: string,
  database: () => Promise<Database>,
): CopyStore {
  // Each base path of the origin has one folder, like the database.
  const folders = ['cloche', encodeURIComponent(basePath)];
  return openContents<CopyManifest>(storage, { folders, store: 'copies' }, database);
}
