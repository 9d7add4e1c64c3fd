/** What a list shows of a session, event by event. */

import type { SessionEvent, SessionHead } from '../spec/session.ts';

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

export type ChangingHead = { -readonly [K in keyof SessionHead]: SessionHead[K] };

/** Has `head` tell of one more event. In place: a log of thousands is read at once. */
export function changeHead(head: ChangingHead, event: SessionEvent): void {
  const isFirst = head.events === 0;
  head.events += 1;
  // To look at a session is no change of it, though Python may have begun anew since. A fork has events older than itself.
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
      // What a person has said, no message changes.
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
