/** The built-in tool `finish`, by which a sub-agent hands over the output of its task. */

import { failure, textResult } from '../call/results.ts';
import type { CheckArguments } from '../protocol/argument-check.ts';
import type { SessionCall, SessionState } from '../session/session-state.ts';
import { exactText } from '../spec/exact-json.ts';
import type { JsonObject, JsonText } from '../spec/json.ts';
import { scanObject } from '../spec/json-members.ts';
import type { ToolDefinition } from '../spec/model.ts';
import type { ToolResult } from '../spec/result.ts';
import type { SessionTask } from '../spec/session.ts';

export const finish = 'finish';

/** Longest output of a task, as JSON text; characters. */
const mostChars = 200_000;
const mostErrors = 10;

/** The tool as the model gets it, with the schema of the task's output. */
export function finishDefinition({ output }: SessionTask): ToolDefinition {
  return {
    name: finish,
    description:
      'Ends your task and hands over its result. Call it once the task is done, and only then. The result is checked.',
    parameters: parametersFor(output),
  };
}

function parametersFor(output: JsonObject | null): JsonObject {
  if (output === null)
    return { type: 'object', properties: { result: { description: 'The result of the task' } } };
  // References in the schema start at its root.
  const { $defs, definitions, ...result } = output;
  return {
    type: 'object',
    properties: { result },
    required: ['result'],
    ...($defs === undefined ? {} : { $defs }),
    ...(definitions === undefined ? {} : { definitions }),
  };
}

/** Checks the output. A failure tells the model what to correct. @param args text of a JSON object */
export async function answerFinish(
  signal: AbortSignal,
  args: JsonText,
  task: SessionTask | null,
  { checkArguments }: { readonly checkArguments: CheckArguments },
): Promise<ToolResult> {
  if (task === null || task.finishes === false)
    return failure('LookupError: no task', 'This session has no task that could be finished.');
  if (args.length > mostChars)
    return invalid([`the result has ${args.length} characters, and may have ${mostChars}`]);
  const errors = await checkArguments(signal, exactText(parametersFor(task.output)), args);
  if (errors === null) return invalid(['checking it against its schema takes too long']);
  if (errors.length > 0)
    return invalid(errors.slice(0, mostErrors).map(({ path, message }) => `${path} ${message}`));
  return textResult('The task is finished.');
}

function invalid(reasons: readonly string[]): ToolResult {
  const text = reasons.join('\n');
  return failure(
    `ValidationError: ${text}`,
    `The task is not finished, because the result is not valid:\n${text}\nCorrect it and call finish again.`,
  );
}

/** The output that a turn has handed over, as JSON text; null if it has not finished its task. */
export function finishedOutput(state: SessionState, turnId: string): JsonText | null {
  if (state.task === null || state.task.finishes === false) return null;
  let last: SessionCall | null = null;
  for (const call of state.calls.values())
    if (call.turnId === turnId && call.asked.wire === finish) last = call;
  return last?.result?.resultType === 'success' ? outputIn(last.arguments) : null;
}

function outputIn(args: JsonText): JsonText {
  const scan = scanObject(args);
  for (;;) {
    const { done, value } = scan.next();
    if (done === true) return value.get('result') ?? 'null';
  }
}
