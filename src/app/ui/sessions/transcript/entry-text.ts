/** The text of messages and summaries. */

import type { Entry } from '../../../../agent/session/session-state.ts';
import type { UserPart } from '../../../../runtime/spec/model.ts';

export function messageText(parts: readonly UserPart[]): string {
  return parts.map(partText).join('\n\n');
}

function partText(part: UserPart): string {
  if (part.type === 'image') return '(image)';
  return part.type === 'text' && part.name === undefined ? part.text : `(${part.name ?? 'file'})`;
}

/** Returns whether the user has typed it, other than the text of an attached file. */
export function isTyped(part: UserPart): part is Extract<UserPart, { type: 'text' }> {
  return part.type === 'text' && part.name === undefined;
}

/** Messages of the user in a session, newest first. */
export function earlierTexts(entries: readonly Entry[]): readonly string[] {
  return entries
    .flatMap((entry) => (entry.kind === 'message' ? [entry.parts] : []))
    .map((parts) => parts.flatMap((part) => (isTyped(part) ? [part.text] : [])).join('\n'))
    .reverse();
}

export function isSent(entries: readonly Entry[], id: string): boolean {
  return entries.some((entry) => entry.kind === 'message' && entry.id === id);
}

/** Limit of a message quoted as a name; characters. */
const nameChars = 60;

/** @param note the summary's line in the transcript */
export function describeSummary(
  entries: readonly Entry[],
  note: { readonly n: number; readonly before: number },
): string {
  // A later message may not belong to the summary, and is not what the line is about.
  const first = entries.find(
    ({ n, kind }) => n >= note.before && n < note.n && (kind === 'message' || kind === 'step'),
  );
  switch (first?.kind) {
    case 'message':
      return `Messages before “${shortName(messageText(first.parts))}” were summarised for the model.`;
    case 'step':
      return 'Everything above except the last steps was summarised for the model.';
    default:
      return 'Everything above was summarised for the model.';
  }
}

/** The first line of a message, shortened, by which a note names it. */
function shortName(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  const chars = Array.from(line);
  return chars.length > nameChars ? `${chars.slice(0, nameChars).join('')}…` : line;
}
