/** Divides the limits of Markdown rendering among the parts of a result. */

import type { ContentPart } from '../../../../runtime/spec/result.ts';

/**
 * The share of one part in the Markdown of `page` parts that are shown together, by its length:
 * from 0 to 1.
 */
export function markdownShare(parts: readonly ContentPart[], index: number, page: number): number {
  const place = index % page;
  const lengths = parts
    .slice(index - place, index - place + page)
    .map((part) =>
      part.type === 'text' && part.mediaType === 'text/markdown' ? part.text.length : 0,
    );
  const all = lengths.reduce((sum, length) => sum + length, 0);
  return (lengths[place] ?? 0) / Math.max(1, all);
}
