/** What a message says, as text. */

import type { Entry } from '../../../session/session-state.ts';
import type { UserPart } from '../../../spec/model.ts';

export function messageText(parts: readonly UserPart[]): string {
  return parts.map((part) => (part.type === 'text' ? part.text : 'A picture')).join('\n\n');
}

/** What the person has written in a session, newest first. */
export function earlierTexts(entries: readonly Entry[]): readonly string[] {
  return entries
    .flatMap((entry) => (entry.kind === 'message' ? [entry.parts] : []))
    .map((parts) => parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n'))
    .reverse();
}

/** Whether a message is in the log. */
export function isSent(entries: readonly Entry[], id: string): boolean {
  return entries.some((entry) => entry.kind === 'message' && entry.id === id);
}
