/** Results that the page creates itself, their texts for models, and what results say about the Python state of a session. */

import type { Ending, ToolResult } from '../spec/result.ts';

const endings: ReadonlySet<string> = new Set<Ending>([
  'cancelled',
  'timeout',
  'interrupted',
  'crashed',
  'approval_required',
]);

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

/** Returns the failure of a call that was refused, or that did not end by itself. */
export function failure(
  error: string,
  textResultForLlm: string,
  more: Partial<ToolResult> = {},
): ToolResult {
  return { ...empty, ...more, resultType: 'failure', isError: true, error, textResultForLlm };
}

/** Returns the text for a call that ended without an exception of its handler. */
export function endingText(ending: Ending, tool: string, detail = ''): string {
  const more = detail === '' ? '' : ` ${detail}`;
  switch (ending) {
    case 'cancelled':
      return `The call to ${tool} was cancelled.${more}`;
    case 'timeout':
      return `The call to ${tool} timed out.${more}`;
    case 'interrupted':
      return `The call to ${tool} was interrupted because its interpreter was stopped.${more}`;
    case 'crashed':
      return `The interpreter crashed during the call to ${tool}.${more}`;
    case 'approval_required':
      return `The call to ${tool} requires approval, which was not given.${more}`;
  }
}

/**
 * Returns whether the tool's own function has run to its end. If not, the call was refused or ended early, so that its
 * failure says nothing about what the function does with its arguments.
 */
export function hasRun(result: ToolResult): boolean {
  const { resultType, error = '', interpreter, traceback = '', frames: [first] = [] } = result;
  if (resultType === 'success') return true;
  if (interpreter === '' || endings.has(error)) return false;
  // If there are no frames, a traceback means that Python refused the arguments; without one, the function has reported a
  // failure.
  if (first === undefined) return traceback === '';
  // The first frame is the module's if its import failed.
  return first.name !== '<module>';
}

/** A successful result made by Cloche itself. */
export function textResult(textResultForLlm: string): ToolResult {
  const { error: _, ...rest } = failure('', textResultForLlm);
  return { ...rest, resultType: 'success', isError: false };
}

/** Errors of calls that may have ended their interpreter. */
const endedWithPython: readonly string[] = ['cancelled', 'timeout', 'interrupted', 'crashed'];

/** Finds the first result that reports a loss of Python state; later results repeat the same loss. */
export class LossReports {
  #reported = false;

  /**
   * Takes the next result of one session.
   *
   * @param options.isSeen whether the reader of the reports sees this result
   * @returns whether this result is the first to report the loss
   */
  take(
    { stateLost, error }: Pick<ToolResult, 'stateLost' | 'error'>,
    { isSeen = true } = {},
  ): boolean {
    const news = stateLost && isSeen && !this.#reported;
    if (!stateLost) this.#reported = false;
    else if (isSeen) this.#reported = true;
    // A call that ended its interpreter may have lost state again.
    if (endedWithPython.includes(error ?? '')) this.#reported = false;
    return news;
  }
}
