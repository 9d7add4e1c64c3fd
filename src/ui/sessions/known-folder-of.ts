/** The known folder that a session's tools are of. */

import type { SessionFolder } from '../../session/session-folder.ts';
import { isFolderOf } from '../../session/session-folder.ts';
import type { KnownFolder } from '../../folder/known-folder.ts';

/** Undefined where it is not known here: the session may have come out of a file. */
export function knownFolderOf<Folder extends Pick<KnownFolder, 'id' | 'name'>>(
  session: SessionFolder,
  known: readonly Folder[],
): Folder | undefined {
  return known.find(({ id, name }) => isFolderOf(session, { folder: name, folderId: id }));
}
