/** What a message says, as text. */

import type { UserPart } from '../../spec/model.ts';

export function messageText(parts: readonly UserPart[]): string {
  return parts.map((part) => (part.type === 'text' ? part.text : 'A picture')).join('\n\n');
}
