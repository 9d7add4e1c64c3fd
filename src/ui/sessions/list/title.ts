/** What a session is called. */

import type { SessionHead } from '../../../spec/session.ts';

export function titleOf({ title, messages }: Pick<SessionHead, 'title' | 'messages'>): string {
  if (title !== '') return title;
  return messages === 0 ? 'New session' : 'Without a title';
}
