/** The title that a session has from its first message. */

import { fitTitle } from '../session/session-title.ts';
import type { UserPart } from '../spec/model.ts';

const titleChars = 60;

/** The first line of a message, cut at a word; empty where it has no text. */
export function titleOf(parts: readonly UserPart[]): string {
  const text = parts.find((part) => part.type === 'text')?.text ?? '';
  const [line = ''] = text.trim().split('\n');
  const fit = fitTitle(line);
  if (fit.length <= titleChars) return fit;
  const cut = fit.slice(0, titleChars);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), titleChars / 2)).trimEnd()}…`;
}
