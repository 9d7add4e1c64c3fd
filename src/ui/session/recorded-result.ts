/** What a call gave when it was recorded, beside what it gave now. */

import type { RecordedCall } from '../../spec/recording.ts';
import type { ToolResult } from '../../spec/result.ts';

/** False while there is no result yet. */
export function differsFrom(
  recorded: NonNullable<RecordedCall['result']>,
  result: Pick<ToolResult, 'textResultForLlm' | 'resultType'> | null,
): boolean {
  if (result === null) return false;
  return recorded.text !== result.textResultForLlm || recorded.resultType !== result.resultType;
}
