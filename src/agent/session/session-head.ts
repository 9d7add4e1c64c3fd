/** The head of a session: its title, its folder and other data for the list, updated with every event. */

import type { UserPart } from '../../runtime/spec/model.ts';
import type { SessionEvent, SessionHead } from '../../runtime/spec/session.ts';

const maxTitleChars = 200;
/** Limit for a title that is made from a message. */
const messageTitleChars = 60;

/** The folder of a session; empty strings if it is unknown, or none is open. */
export type SessionFolder = Pick<SessionHead, 'folder' | 'folderId'>;

/** Returns whether the session's folder is the open one. Compares ids, or names if the session has no id. */
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

/** Applies one event to a head. Changes it in place, since thousands of events are applied when a log is read. */
export function applyToHead(head: MutableHead, event: SessionEvent): void {
  const isFirst = head.events === 0;
  head.events += 1;
  // Opening a session is not a change, although it may restart Python. The events of a fork are older than the fork.
  if (event.type !== 'python-anew') head.changedAt = Math.max(head.changedAt, event.at);
  switch (event.type) {
    case 'created':
      if (!isFirst) return;
      head.folder = event.folder;
      head.folderId = event.folderId;
      head.createdAt = event.at;
      head.forkOf = event.forkOf?.session ?? null;
      if (event.forkOf !== undefined) head.forkAt = event.forkOf.n;
      if (event.task !== undefined) head.run = event.task.run;
      return;
    case 'selected':
      head.folder = event.folder ?? head.folder;
      head.folderId = event.folderId ?? head.folderId;
      return;
    case 'titled':
      // A title made from a message does not replace the user's title.
      if (event.by === 'message' && head.titled === 'by-user') return;
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

/** Returns the title as one line, shortened if it is too long. */
export function fitTitle(title: string): string {
  const line = title.replace(/\s+/g, ' ').trim();
  const chars = Array.from(line.slice(0, 2 * maxTitleChars));
  return chars.length > maxTitleChars || line.length > 2 * maxTitleChars
    ? `${chars.slice(0, maxTitleChars - 1).join('')}…`
    : line;
}

/** Returns the first line of a message, shortened at a word; empty if the message has no text. */
export function titleOf(parts: readonly UserPart[]): string {
  const isTyped = (part: UserPart): boolean => part.type === 'text' && part.name === undefined;
  const typed = parts.find(isTyped);
  const text = typed?.type === 'text' ? typed.text : '';
  const [line = ''] = text.trim().split('\n');
  const fit = fitTitle(line);
  if (fit.length <= messageTitleChars) return fit;
  const cut = fit.slice(0, messageTitleChars);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), messageTitleChars / 2)).trimEnd()}…`;
}

/** Returns the title for a copy. */
export function copyTitle(title: string, kind: 'fork' | 'imported'): string {
  const suffix = ` (${kind})`;
  return fitTitle(title.slice(0, maxTitleChars - suffix.length)) + suffix;
}
