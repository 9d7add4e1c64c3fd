/** The head of a session: what the list shows of it, updated event by event. */

import type { SessionEvent, SessionHead } from '../spec/session.ts';

/** The folder of a session; empty strings where it is unknown, or none is open. */
export type SessionFolder = Pick<SessionHead, 'folder' | 'folderId'>;

/** Whether a session's folder is the open one: compared by id, or by name where the session has no id. */
export function isFolderOf(session: SessionFolder, open: SessionFolder): boolean {
  return session.folderId === ''
    ? open.folder === session.folder
    : open.folderId === session.folderId;
}

export function emptyHead(id: string): SessionHead {
  return {
    id,
    title: '',
    titled: 'no',
    folder: '',
    folderId: '',
    createdAt: 0,
    changedAt: 0,
    events: 0,
    messages: 0,
    model: null,
    forkOf: null,
  };
}

export type MutableHead = { -readonly [K in keyof SessionHead]: SessionHead[K] };

/** Applies one event to a head, in place: thousands are applied when a log is read. */
export function applyToHead(head: MutableHead, event: SessionEvent): void {
  const isFirst = head.events === 0;
  head.events += 1;
  // Opening a session is no change, though it may restart Python. The events of a fork are older than the fork.
  if (event.type !== 'python-anew') head.changedAt = Math.max(head.changedAt, event.at);
  switch (event.type) {
    case 'created':
      if (!isFirst) return;
      head.folder = event.folder;
      head.folderId = event.folderId;
      head.createdAt = event.at;
      head.forkOf = event.forkOf?.session ?? null;
      return;
    case 'selected':
      head.folder = event.folder ?? head.folder;
      head.folderId = event.folderId ?? head.folderId;
      return;
    case 'titled':
      // A message does not replace the user's title.
      if (event.by === 'message' && head.titled === 'by-person') return;
      head.title = event.title;
      head.titled = `by-${event.by}`;
      return;
    case 'model':
      head.model = event.model;
      return;
    case 'message':
      head.messages += 1;
      return;
    default:
  }
}
