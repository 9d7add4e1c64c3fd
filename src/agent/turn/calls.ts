/** Runs the calls of one answer. Each call ends exactly once, whatever happens. */

import { failure } from '../../runtime/call/results.ts';
import { calledToolName } from '../session/session-state.ts';
import type { ToolCall } from '../../runtime/spec/call.ts';
import { errorText } from '../../runtime/spec/error.ts';
import type { JsonText } from '../../runtime/spec/json.ts';
import type { AskedCall } from '../../runtime/spec/model.ts';
import { nearestNames } from '../../runtime/spec/nearest-names.ts';
import { readArguments } from '../../runtime/spec/read-arguments.ts';
import type { ToolResult } from '../../runtime/spec/result.ts';
import { runBuiltIn, answerFinish } from './built-in-tools.ts';
import { isBuiltIn, finish, runPython } from '../../runtime/spec/tool.ts';
import { maxCalls } from './answer-parts.ts';
import type { TurnDeps } from './deps.ts';
import { hasPrograms, runProgram } from './program-calls.ts';
import type { Truncation } from './answer-errors.ts';

type Step = Readonly<Record<'turnId' | 'stepId', string>>;

/**
 * Runs the calls together, or one after the other in step mode. Resolves when the log has all results.
 *
 * @throws the signal's reason, after every call has ended
 */
export async function runCalls(
  signal: AbortSignal,
  step: Step,
  calls: readonly AskedCall[],
  deps: TurnDeps,
): Promise<void> {
  const { live } = deps;
  live.set({ phase: 'calling' });
  if (live.get().stepMode) {
    for (const asked of calls) {
      // If the turn was stopped, this call and the remaining ones end without running.
      const changed = await live
        .stepGate(signal, { before: 'call', callId: asked.id })
        .catch(() => undefined);
      live.set({ phase: 'calling' });
      if (changed !== undefined) logChanged(asked, changed, deps);
      await runCall(signal, step, { ...asked, arguments: changed ?? asked.arguments }, deps);
    }
  } else await Promise.all(calls.map((asked) => runCall(signal, step, asked, deps)));
  signal.throwIfAborted();
}

/** Logs the arguments with which the user wants a call to run. */
function logChanged({ id, tool }: AskedCall, args: JsonText, { log }: TurnDeps): void {
  log.append({
    type: 'call-answered',
    callId: id,
    tool,
    approval: 'once',
    reason: '',
    arguments: args,
  });
}

/**
 * Returns the result of a call that must not run, since its answer was truncated or has too many calls. Null if it may
 * run.
 *
 * @param index the call's index in its answer
 */
export function skippedCallResult(
  asked: AskedCall,
  index: number,
  truncation: Truncation | null,
): ToolResult | null {
  const name = calledToolName(asked);
  if (truncation !== null)
    return failure(
      'cancelled',
      `The call to ${name} was not run: ${
        truncation === 'length'
          ? 'your answer reached its length limit and was cut off. Call it again with shorter arguments, or split it into smaller calls.'
          : 'the provider’s content filter ended your answer.'
      }`,
    );
  if (index < maxCalls) return null;
  return failure(
    'cancelled',
    `The call to ${name} was not run, nor were the calls after it: an answer can have at most ${maxCalls} calls. Repeat the missing calls in your next answer.`,
  );
}

type ParsedArguments =
  | { readonly ok: true; readonly args: JsonText }
  /** The result that the model receives. */
  | { readonly ok: false; readonly result: ToolResult };

/** Reads malformed arguments of a model, if they can mean only one object. */
export function parseArguments({ wire, arguments: written }: AskedCall): ParsedArguments {
  const read = readArguments(written);
  if (read !== null) return { ok: true, args: read.text };
  const error = syntaxError(written);
  const result =
    error === null
      ? failure(
          `ValidationError: the arguments are not a JSON object`,
          `The arguments of ${wire} must be a JSON object, such as {"name": "value"}.`,
        )
      : failure(
          `ValidationError: the arguments are not valid JSON`,
          `The arguments of ${wire} are not valid JSON (${error}). They were: ${written.slice(0, 2_000)}\nCall it again with a JSON object.`,
        );
  return { ok: false, result };
}

/** The syntax error of a JSON text; null if it is valid. */
function syntaxError(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch (thrown) {
    return errorText(thrown);
  }
}

async function runCall(
  signal: AbortSignal,
  step: Step,
  asked: AskedCall,
  deps: TurnDeps,
): Promise<void> {
  const end = (result: ToolResult): void => {
    deps.log.append({ type: 'call-ended', callId: asked.id, result });
  };
  try {
    end(await resultOf(signal, step, asked, deps));
  } catch (thrown) {
    deps.report(thrown);
    const name = calledToolName(asked);
    end(failure('crashed', `The call to ${name} failed inside Cloche: ${errorText(thrown)}`));
  }
}

async function resultOf(
  signal: AbortSignal,
  { stepId, turnId }: Step,
  asked: AskedCall,
  deps: TurnDeps,
): Promise<ToolResult> {
  if (signal.aborted)
    return failure(
      'cancelled',
      `The call to ${calledToolName(asked)} was not run: the turn was stopped.`,
    );
  const { live, log, selection } = deps;
  const { id, tool, wire } = asked;
  const parsed = parseArguments(asked);
  const call: ToolCall = {
    id,
    tool: calledToolName(asked),
    validate: true,
    caller: log.state.task === null ? 'model' : 'sub-agent',
    arguments: parsed.ok ? parsed.args : asked.arguments,
    turnId,
    agentId: log.state.task?.id ?? '',
    sessionId: log.id,
    sessionKey: log.id,
  };
  const refuse = (result: ToolResult): ToolResult => {
    deps.calls.refuse(call, result);
    return result;
  };
  if (!parsed.ok) return refuse(parsed.result);
  // The start is only logged now: a call that was still queued or waiting for approval when its
  // page closed has done nothing.
  const onStart = (): void => {
    log.append({ type: 'call-began', callId: id, stepId });
  };
  if (tool === runPython && hasPrograms(deps)) return runProgram(signal, call, onStart, deps);
  if (tool === runPython) return refuse(unknownTool(asked, deps));
  if (isBuiltIn(tool))
    return deps.calls.call(signal, call, undefined, (args, text) => {
      if (tool === finish) return answerFinish(signal, text, log.state.task, deps);
      const { result, handedOver } = runBuiltIn(tool, args, log.state);
      if (handedOver.length > 0) log.append({ type: 'handed-over', tools: handedOver });
      return result;
    });
  if (tool === '') return refuse(unknownTool(asked, deps));
  const current = selection.tool(tool);
  if (current === undefined)
    return refuse(
      failure(
        `LookupError: ${tool} is not available`,
        `The tool ${wire} was selected for this session, but ${selection.whyMissing(tool)}. Continue without it, or tell the user.`,
      ),
    );
  const { interrupted } = live;
  const mayInterrupt = current.interrupt === 'cancel';
  const ends = mayInterrupt ? AbortSignal.any([signal, interrupted]) : signal;
  const result = await deps.calls.call(ends, call, onStart);
  if (mayInterrupt && isFirst(interrupted, signal) && result.error === 'cancelled')
    return withNote(result, 'The user interrupted the call to send a message.');
  const selected = log.state.selection?.tools.find(({ name }) => name === tool);
  const parameters = JSON.stringify(current.parameters);
  if (result.resultType === 'success' || JSON.stringify(selected?.parameters) === parameters)
    return result;
  return withNote(
    result,
    `The tool has changed since this session started. Its parameters are now: ${parameters}`,
  );
}

function withNote(result: ToolResult, note: string): ToolResult {
  return { ...result, textResultForLlm: `${result.textResultForLlm}\n[${note}]` };
}

function unknownTool({ wire }: AskedCall, { log }: TurnDeps): ToolResult {
  const entries = log.state.selection?.names ?? [];
  const names = entries.map(([, name]) => name);
  const hint =
    names.length === 0
      ? 'No tool is selected in this session.'
      : `Did you mean ${nearestNames(wire, names).join(', ')}?`;
  const short = wire.slice(0, 200);
  const quoted = /^[\w-]+$/.test(short) ? short : JSON.stringify(short);
  return failure(
    `LookupError: there is no tool ${short}`,
    `There is no tool named ${quoted}. ${hint}`,
  );
}

/** Returns whether only the first of two signals has aborted. */
function isFirst(first: AbortSignal, second: AbortSignal): boolean {
  return first.aborted && !second.aborted;
}
