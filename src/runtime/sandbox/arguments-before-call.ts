/** Checks a call's arguments in its session's interpreter before the call runs. No handler runs during the check. */

import { wait } from '../async/wait.ts';
import type { ToolCall } from '../spec/call.ts';
import { errorText } from '../spec/error.ts';
import type { Limits } from '../spec/limits.ts';
import type { Ending, ToolResult } from '../spec/result.ts';
import type { RegisteredTool } from '../spec/tool.ts';
import { endedBy, toResult, type RunFacts } from './call-results.ts';
import { callContext } from './interpreter-calls.ts';
import type { FolderPython } from './interpreter.ts';
import type { WorkJob } from './interpreter-slot.ts';

interface Checked {
  readonly failure: ToolResult | null;
  /** Whether the interpreter can still be used. */
  readonly survived: boolean;
}

export interface CheckDeps {
  readonly limits: Limits;
  /**
   * Runs the check in the session's interpreter, beside its calls.
   * @throws {ToolError} if there is no interpreter, or when the signal aborts
   */
  readonly runBeside: (
    check: (...given: Parameters<WorkJob['run']>) => Promise<Checked>,
  ) => Promise<Checked>;
  /** Whether the tool's results report Python state that was lost earlier. */
  readonly stateLost: () => boolean;
}

/**
 * Returns the failure result for invalid arguments, or null if they are valid or could not be checked. Never
 * rejects. May take as long as the tool's own timeout; the call itself checks its arguments again.
 */
export async function checkArguments(
  signal: AbortSignal,
  tool: RegisteredTool,
  call: ToolCall,
  { limits, runBeside, stateLost }: CheckDeps,
): Promise<ToolResult | null> {
  const facts = (interpreter = ''): RunFacts => ({
    tool: tool.name,
    durationMs: 0,
    interpreter,
    stateLost: stateLost(),
  });
  const end = (ending: Ending, why = ''): ToolResult => endedBy(ending, null, facts(), why);
  const check = async (python: FolderPython, isAlone: () => boolean): Promise<Checked> => {
    const answer = (): Promise<never> => new Promise(() => undefined);
    const watch = { answer };
    const options = { checkOnly: true };
    const { outcome } = python.call(tool, call, callContext(call, []), limits, watch, options);
    try {
      const ended = await wait(signal, outcome, { deadlineMs: tool.timeout_s * 1000 });
      const isWrong = ended.ok && !ended.value.ok;
      const failure = isWrong ? toResult(ended.value, facts(python.name)) : null;
      return { failure, survived: ended.ok };
    } catch {
      if (signal.aborted) return { failure: end('cancelled'), survived: true };
      // Another call keeps Python busy. This call checks its arguments again when it runs.
      if (!isAlone()) return { failure: null, survived: true };
      const why = 'Checking its arguments took too long.';
      return { failure: end('timeout', why), survived: false };
    }
  };
  // If another call takes the interpreter down, try once more in the next one.
  for (let tries = 0; tries < 2; tries += 1) {
    try {
      const { failure, survived } = await runBeside(check);
      if (survived || failure !== null) return failure;
    } catch (thrown) {
      return signal.aborted ? end('cancelled') : end('crashed', errorText(thrown));
    }
  }
  return null;
}
