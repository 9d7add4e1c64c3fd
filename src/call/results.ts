/** Results that are made on this side of the sandbox, and what a model is told of each. */

import type { Ending, ToolResult } from '../spec/result.ts';

const empty = {
  content: [],
  recoverable: false,
  metadata: '{}',
  updates: [],
  updatesDropped: 0,
  log: [],
  stdout: '',
  stderr: '',
  outputDropped: 0,
  durationMs: 0,
  interpreter: '',
  stateLost: false,
} as const;

/** A failure in place of a run: the call was refused, or ended by other means than the tool's own. */
export function failure(
  error: string,
  textResultForLlm: string,
  more: Partial<ToolResult> = {},
): ToolResult {
  return { ...empty, ...more, resultType: 'failure', isError: true, error, textResultForLlm };
}

/** A call's text where it ended by no exception of its handler. */
export function endingText(ending: Ending, tool: string, detail = ''): string {
  const more = detail === '' ? '' : ` ${detail}`;
  switch (ending) {
    case 'cancelled':
      return `The call of ${tool} was cancelled.${more}`;
    case 'timeout':
      return `The call of ${tool} timed out.${more}`;
    case 'interrupted':
      return `The call of ${tool} was interrupted because its interpreter was stopped.${more}`;
    case 'crashed':
      return `The interpreter crashed during the call of ${tool}.${more}`;
    case 'approval_required':
      return `The call of ${tool} requires approval, which was not given.${more}`;
  }
}
