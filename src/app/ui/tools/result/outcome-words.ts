/** Label and icon for the outcome of a call, where a cancelled call is not an error. */

import type { ToolResult } from '../../../../runtime/spec/result.ts';
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
