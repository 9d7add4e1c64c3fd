/** Titles of sessions, as long as the list has room for. */

import type { UserPart } from '../spec/model.ts';

const maxChars = 200;
/** Characters of a title that is made from a message. */
const messageTitleChars = 60;

/** The title on one line, shortened if it is too long. */
export function fitTitle(title: string): string {
  const line = title.replace(/\s+/g, ' ').trim();
  const chars = Array.from(line.slice(0, 2 * maxChars));
  return chars.length > maxChars || line.length > 2 * maxChars
    ? `${chars.slice(0, maxChars - 1).join('')}…`
    : line;
}

/** The first line of a message, shortened at a word; empty where the message has no text. */
export function titleOf(parts: readonly UserPart[]): string {
  const text = parts.find((part) => part.type === 'text')?.text ?? '';
  const [line = ''] = text.trim().split('\n');
  const fit = fitTitle(line);
  if (fit.length <= messageTitleChars) return fit;
  const cut = fit.slice(0, messageTitleChars);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), messageTitleChars / 2)).trimEnd()}…`;
}

/** The title of a copy. */
export function copyTitle(title: string, kind: 'fork' | 'imported'): string {
  const suffix = ` (${kind})`;
  return fitTitle(title.slice(0, maxChars - suffix.length)) + suffix;
}
