/** Whether a session's tools are those of a folder. */

import type { SessionHead } from '../spec/session.ts';

/** What a session keeps of a folder; empty where it is not known, or nothing is open. */
export type SessionFolder = Pick<SessionHead, 'folder' | 'folderId'>;

/** Whether the folder that a session began with is the open one: by its name alone where it has no id. */
export function isFolderOf(session: SessionFolder, open: SessionFolder): boolean {
  return session.folderId === ''
    ? open.folder === session.folder
    : open.folderId === session.folderId;
}
