/** Checks a call's arguments in its session's interpreter, before the call itself: no handler runs for it. */

import { wait } from '../async/wait.ts';
import type { ToolCall } from '../spec/call.ts';
import { errorText } from '../spec/error.ts';
import type { Limits } from '../spec/limits.ts';
import type { Ending, ToolResult } from '../spec/result.ts';
import type { RegisteredTool } from '../spec/tool.ts';
import { callContext } from './interpreter-calls.ts';
import type { FolderPython } from './interpreter.ts';
import type { WorkJob } from './jobs.ts';
import { endedBy, toResult, type RunFacts } from './outcome.ts';

interface Checked {
  readonly failure: ToolResult | null;
  /** The interpreter can be used on. */
  readonly survived: boolean;
}

export interface CheckDeps {
  readonly limits: Limits;
  /** Runs this in the session's interpreter, beside its calls. @throws {ToolError} where there is none, or the signal aborts */
  readonly look: (
    check: (...given: Parameters<WorkJob['run']>) => Promise<Checked>,
  ) => Promise<Checked>;
  /** What results of the tool say about Python state that was lost earlier. */
  readonly stateLost: () => boolean;
}

/**
 * What is wrong with the arguments; null where nothing is, or where that cannot be told. Never rejects. The check may take
 * as long as the call itself, which checks its arguments too.
 */
export async function checkArguments(
  signal: AbortSignal,
  tool: RegisteredTool,
  call: ToolCall,
  { limits, look, stateLost }: CheckDeps,
): Promise<ToolResult | null> {
  const facts = (interpreter = ''): RunFacts => ({
    ...{ tool: tool.name, durationMs: 0, interpreter, stateLost: stateLost() },
  });
  const end = (ending: Ending, why = ''): ToolResult => endedBy(ending, null, facts(), why);
  const check = async (python: FolderPython, isAlone: () => boolean): Promise<Checked> => {
    const answer = (): Promise<never> => new Promise(() => undefined);
    const { outcome } = python.call(tool, call, callContext(call, []), limits, { answer }, true);
    try {
      const ended = await wait(signal, outcome, { deadlineMs: tool.timeout_s * 1000 });
      const isWrong = ended.ok && !ended.value.ok;
      const failure = isWrong ? toResult(ended.value, facts(python.name)) : null;
      return { failure, survived: ended.ok };
    } catch {
      if (signal.aborted) return { failure: end('cancelled'), survived: true };
      // Another call keeps Python busy: this one's own check will tell.
      if (!isAlone()) return { failure: null, survived: true };
      const why = 'Checking its arguments took too long.';
      return { failure: end('timeout', why), survived: false };
    }
  };
  // Where another call takes the interpreter along, the next one can tell.
  for (let tries = 0; tries < 2; tries += 1) {
    try {
      const { failure, survived } = await look(check);
      if (survived || failure !== null) return failure;
    } catch (thrown) {
      return signal.aborted ? end('cancelled') : end('crashed', errorText(thrown));
    }
  }
  return null;
}
