/** Copies of folders, kept in the browser. */

import type { CopyManifest, CopyStore } from '../folder/folder-copy.ts';
import type { Database } from './db.ts';
import { openContents } from './kept-content.ts';

/** @param storage `navigator.storage`, absent where the page is not secure */
export function openCopyStore(
  storage: Pick<StorageManager, 'getDirectory'> | undefined,
  basePath: string,
  database: () => Promise<Database>,
): CopyStore {
  // One folder for each base path of the origin, as the database is.
  const folders = ['cloche', encodeURIComponent(basePath)];
  return openContents<CopyManifest>(storage, { folders, store: 'copies' }, database);
}
