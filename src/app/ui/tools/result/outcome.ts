/**
 * Label and icon for the outcome of a call, where a cancelled call is not an error; and how its
 * parts share limits.
 */

import type { ContentPart, ToolResult } from '../../../../runtime/spec/result.ts';
import type { IconName } from '../../parts/icons.ts';

export interface Outcome {
  readonly words: string;
  readonly icon: IconName & ('done' | 'error' | 'stop');
}

export function outcomeOf({
  resultType,
  isError,
  error,
}: Pick<ToolResult, 'resultType' | 'isError' | 'error'>): Outcome {
  if (resultType === 'success')
    return isError
      ? { words: 'Returned an error', icon: 'error' }
      : { words: 'Success', icon: 'done' };
  switch (error) {
    case 'cancelled':
      return { words: 'Cancelled', icon: 'stop' };
    case 'timeout':
      return { words: 'Timed out', icon: 'error' };
    case 'interrupted':
      return { words: 'Interrupted', icon: 'error' };
    case 'crashed':
      return { words: 'Crashed', icon: 'error' };
    case 'approval_required':
      return { words: 'Approval required', icon: 'error' };
    default:
      return { words: 'Failed', icon: 'error' };
  }
}

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
