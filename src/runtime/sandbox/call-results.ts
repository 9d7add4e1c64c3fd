/** The result of a call in an interpreter: from Python's outcome, or, if the call was ended before that, from the way it ended. */

import { endingText, failure } from '../call/results.ts';
import type { PythonOutcome, Streamed } from '../protocol/frame.ts';
import type { ContentPart, Ending, ToolResult } from '../spec/result.ts';

/** The page's own facts about a run. */
export interface RunFacts extends Pick<
  ToolResult,
  'durationMs' | 'interpreter' | 'stateLost' | 'workspace'
> {
  readonly tool: string;
}

/** Turns Python's outcome of a call into the result that callers receive. */
export function toResult(outcome: PythonOutcome, { tool: _, ...facts }: RunFacts): ToolResult {
  const { ok, content, metadata, recoverable, traceback, frames, error } = outcome;
  const { streamed, message } = outcome;
  return {
    resultType: ok ? 'success' : 'failure',
    textResultForLlm: ok ? textOf(content) : (message ?? error ?? ''),
    ...(ok ? {} : { error: error ?? 'Error' }),
    ...(traceback === undefined ? {} : { traceback }),
    ...(frames === undefined ? {} : { frames }),
    content,
    isError: !ok,
    recoverable,
    metadata,
    ...streamed,
    ...facts,
  };
}

/** The result of a call that was ended, with what it had streamed so far. */
export function endedBy(
  ending: Ending,
  streamed: Streamed | null,
  facts: RunFacts,
  detail = '',
): ToolResult {
  const { tool, ...rest } = facts;
  const details = [detail, rest.workspace?.trouble ?? ''].filter((words) => words !== '').join(' ');
  return failure(ending, endingText(ending, tool, details), { ...streamed, ...rest });
}

/** Joins the parts into one text for a model. Binary parts are described by type and size. */
function textOf(content: readonly ContentPart[]): string {
  const [only] = content;
  if (content.length === 1 && only && 'text' in only) return only.text;
  return content.map(partText).join('\n');
}

function partText(part: ContentPart): string {
  if ('text' in part) return part.text;
  const bytes =
    Math.floor((part.data.length * 3) / 4) - (/=*$/.exec(part.data.slice(-2))?.[0].length ?? 0);
  return `[${part.mediaType}, ${bytes} bytes]`;
}
