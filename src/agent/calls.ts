/** The calls of one answer: all begun together, each ended once, whatever is wrong with it. */

import { failure } from '../call/results.ts';
import { calledName } from '../session/called-name.ts';
import type { ToolCall } from '../spec/call.ts';
import { errorText } from '../spec/error.ts';
import type { Json, JsonText } from '../spec/json.ts';
import type { AskedCall } from '../spec/model.ts';
import type { ToolResult } from '../spec/result.ts';
import { isBuiltIn, runBuiltIn } from './built-in-tools.ts';
import { callArguments } from './call-arguments.ts';
import type { TurnEffects } from './effects.ts';
import { nearestNames } from './nearest-names.ts';

/** Which answer asked for them. */
export interface CallingStep {
  readonly turnId: string;
  readonly stepId: string;
}

/**
 * Runs the calls; resolves when all have ended and the log says how.
 * @throws the signal's reason, once each call has ended
 */
export async function runCalls(
  signal: AbortSignal,
  step: CallingStep,
  calls: readonly AskedCall[],
  effects: TurnEffects,
): Promise<void> {
  effects.live.set({ phase: 'calling' });
  // The person may want to see each one before it runs; else they run together, and interpreters keep the order.
  if (effects.live.get().stepMode) {
    for (const asked of calls) await runGated(signal, step, asked, effects);
  } else await Promise.all(calls.map((asked) => runOne(signal, step, asked, effects)));
  signal.throwIfAborted();
}

async function runGated(
  signal: AbortSignal,
  step: CallingStep,
  asked: AskedCall,
  effects: TurnEffects,
): Promise<void> {
  try {
    await effects.gate(signal, { before: 'call', callId: asked.id });
  } catch {
    // The turn was stopped: the call ends, unmade, like those behind it.
  }
  effects.live.set({ phase: 'calling' });
  await runOne(signal, step, asked, effects);
}

async function runOne(
  signal: AbortSignal,
  step: CallingStep,
  asked: AskedCall,
  effects: TurnEffects,
): Promise<void> {
  const { log } = effects;
  const ended = (result: ToolResult): void => {
    log.append({ type: 'call-ended', callId: asked.id, result });
  };
  if (signal.aborted) {
    ended(
      failure('cancelled', `The call of ${calledName(asked)} was not made: the turn was stopped.`),
    );
    return;
  }
  try {
    const given = callArguments(asked);
    if (!given.ok) throw new Refused(given.result);
    if (isBuiltIn(asked.wire)) ended(await callBuiltIn(signal, step, asked, given.args, effects));
    else ended(await runTool(signal, step, asked, given.args, effects));
  } catch (thrown) {
    if (thrown instanceof Refused)
      effects.refuse(toolCall(step, asked, asked.arguments, effects), thrown.result);
    ended(thrown instanceof Refused ? thrown.result : internal(asked, thrown, effects));
  }
}

function toolCall(
  { turnId }: CallingStep,
  { id, tool, wire }: AskedCall,
  args: JsonText,
  { log }: TurnEffects,
): ToolCall {
  return {
    ...{ id, tool: tool === '' ? wire : tool, arguments: args, caller: 'model', validate: true },
    ...{ turnId, agentId: '', sessionId: log.id, sessionKey: log.id },
  };
}

function callBuiltIn(
  signal: AbortSignal,
  step: CallingStep,
  asked: AskedCall,
  args: JsonText,
  effects: TurnEffects,
): Promise<ToolResult> {
  const { log } = effects;
  const answer = (given: Json): ToolResult => {
    const { result, handedOver } = runBuiltIn(asked.wire, given, log.state);
    if (handedOver.length > 0) log.append({ type: 'handed-over', tools: handedOver });
    return result;
  };
  return effects.call(signal, toolCall(step, asked, args, effects), undefined, answer);
}

async function runTool(
  signal: AbortSignal,
  step: CallingStep,
  asked: AskedCall,
  args: JsonText,
  effects: TurnEffects,
): Promise<ToolResult> {
  const { log } = effects;
  const { id, tool } = asked;
  if (tool === '') throw new Refused(invented(asked, effects));
  const now = effects.tool(tool);
  if (now === undefined)
    throw new Refused(
      failure(
        `LookupError: ${tool} is not there now`,
        `The tool ${asked.wire} was selected for this session, but ${effects.whyMissing(tool)}. Go on without it, or tell the person.`,
      ),
    );
  const steered = now.interrupt === 'cancel' ? [effects.steered()] : [];
  // Not before: a call whose page goes while the person is asked, or in the queue, has done nothing.
  const began = (): void => {
    log.append({ type: 'call-began', callId: id, stepId: step.stepId });
  };
  const called = toolCall(step, asked, args, effects);
  const result = await effects.call(AbortSignal.any([signal, ...steered]), called, began);
  const known = log.state.selection?.tools.find(({ name }) => name === tool);
  const changed = JSON.stringify(known?.parameters) !== JSON.stringify(now.parameters);
  if (result.resultType === 'success' || !changed) return result;
  return {
    ...result,
    textResultForLlm: `${result.textResultForLlm}\n[The tool has changed since this session began. Its parameters are now: ${JSON.stringify(now.parameters)}]`,
  };
}

/** A call that is not made, with what the model is told. */
class Refused extends Error {
  readonly result: ToolResult;

  constructor(result: ToolResult) {
    super(result.error ?? '');
    this.result = result;
  }
}

function invented({ wire }: AskedCall, { log }: TurnEffects): ToolResult {
  const entries = log.state.selection?.names ?? [];
  // Some call a tool by the id that people see, which is no name that they may use.
  const own = entries.find(([id]) => id === wire)?.[1];
  const names = entries.map(([, name]) => name);
  const near = own === undefined ? nearestNames(wire, names) : [own];
  const hint =
    names.length === 0
      ? 'No tool is selected in this session.'
      : `Did you mean ${near.join(', ')}?`;
  const cut = wire.slice(0, 200);
  const said = /^[\w-]+$/.test(cut) ? cut : JSON.stringify(cut);
  return failure(`LookupError: there is no tool ${cut}`, `There is no tool named ${said}. ${hint}`);
}

function internal(asked: AskedCall, thrown: unknown, { report }: TurnEffects): ToolResult {
  report(thrown);
  return failure(
    'crashed',
    `The call of ${calledName(asked)} failed inside Cloche: ${errorText(thrown)}`,
  );
}
