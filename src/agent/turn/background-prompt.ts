/** Runs one background prompt, with the conversation so far and the selected tools that are `background_safe`. */

import { failure } from '../../runtime/call/results.ts';
import { savedNameTable } from '../../runtime/registry/provider-names.ts';
import { calledToolName, type SessionState } from '../session/session-state.ts';
import { newCall } from '../../runtime/spec/call.ts';
import { costOf } from '../session/usage.ts';
import type {
  AskedCall,
  AssistantPart,
  Finish,
  ModelMessage,
  ModelPart,
  ToolAnswer,
  ToolDefinition,
} from '../../runtime/spec/model.ts';
import { ModelError } from '../../runtime/spec/model-error.ts';
import type { ToolResult } from '../../runtime/spec/result.ts';
import type { BackgroundAnswer, BackgroundPrompt } from './background.ts';
import type { StepRequest } from './hooks.ts';
import { defineBuiltInTools, runBuiltIn } from './built-in-tools.ts';
import { isBuiltIn, runPython } from '../../runtime/spec/tool.ts';
import { callsAsText, joinRoles, messagesOf, toolDefinitions } from './request.ts';
import { toolAnswer } from './tool-answer.ts';
import { AnswerParts, type AnswerPartsDeps } from './answer-parts.ts';
import { parseArguments, skippedCallResult } from './calls.ts';
import type { TurnDeps } from './deps.ts';
import {
  answerErrors,
  maxTruncated,
  toModelError,
  truncationOf,
  retryDelay,
} from './answer-errors.ts';
import { buildSystemPrompt, oneOffRequest } from './run-hooks.ts';

const maxSteps = 20;

/**
 * Returns the model's final answer.
 *
 * @throws {ModelError}
 * @throws the signal's reason
 */
export async function runBackgroundPrompt(
  signal: AbortSignal,
  run: BackgroundPrompt,
  deps: TurnDeps,
): Promise<BackgroundAnswer> {
  const { model } = deps.log.state.head;
  if (model === null) throw new ModelError('model', 'No model is chosen.');
  const info = deps.models.info(model);
  const images = info === undefined || info.images;
  const canCall = info?.tools !== false;
  const { state, safe, calls, handedOver } = backgroundState(canCall, deps);
  const names = savedNameTable((state.selection?.names ?? []).filter(([id]) => safe.has(id)));
  const system = await buildSystemPrompt(signal, state, 'background', deps);
  const asking: ModelMessage = { role: 'user', parts: [{ type: 'text', text: run.prompt }] };
  const history = messagesOf(state, model, { images });
  const agentId = `background-${deps.clock.newId()}`;
  const offeredTools = (): readonly ToolDefinition[] =>
    canCall ? [...toolDefinitions(state), ...defineBuiltInTools(state)] : [];
  const messages = joinRoles([
    ...(offeredTools().length === 0 ? callsAsText(history) : history),
    asking,
  ]);
  let inARow = 0;
  for (let steps = 0; steps < maxSteps; steps += 1) {
    const request = { system, messages, tools: offeredTools() };
    const { parts, finish } = await answerTo(signal, run, { model, names, request }, deps);
    const asked = parts.filter((part) => part.type === 'call');
    const truncation = truncationOf(finish);
    inARow = truncation === null ? 0 : inARow + 1;
    if (truncation === 'filtered' || asked.length === 0) {
      const text = textOf(parts);
      if (truncation === null) return { text, ok: true };
      const { message } = answerErrors.truncated(truncation);
      return { text: text === '' ? message : `${text}\n\n[${message}]`, ok: false };
    }
    if (inARow === maxTruncated) throw answerErrors.truncatedTooOften();
    const answers = await Promise.all(
      asked.map(async (one, index): Promise<ToolAnswer> => {
        run.onCall(one);
        const result =
          skippedCallResult(one, index, truncation) ??
          (await resultOf(signal, one, { state, safe, handedOver, agentId }, deps));
        run.onResult(one.id, result.resultType === 'success');
        const call = { asked: one, turnId: '', phase: 'ended', approval: null, result } as const;
        const ended = { ...call, arguments: one.arguments };
        calls.set(one.id, ended);
        return toolAnswer(ended, result, { images: images === true, stateLost: false });
      }),
    );
    messages.push({ role: 'assistant', parts }, { role: 'tool', answers });
  }
  throw new ModelError('provider', `The model has answered ${maxSteps} times without finishing.`);
}

/**
 * Returns the session's state with the tools that may be called in the background, and copies of what the prompt
 * changes.
 */
function backgroundState(canCall: boolean, { log, selection }: TurnDeps) {
  const { tools = [], names = [] } = log.state.selection ?? {};
  const backgroundTools = tools.filter(
    ({ name }) => canCall && selection.tool(name)?.background_safe === true,
  );
  const safe: ReadonlySet<string> = new Set(backgroundTools.map(({ name }) => name));
  const calls = new Map(log.state.calls);
  const handedOver = new Set([...log.state.handedOver].filter((name) => safe.has(name)));
  const selected = { tools: backgroundTools.map((tool) => ({ ...tool, deferred: false })), names };
  const state: SessionState = { ...log.state, selection: selected, calls, handedOver };
  return { state, safe, calls, handedOver };
}

/** Requests one answer, with retries. */
async function answerTo(
  signal: AbortSignal,
  run: BackgroundPrompt,
  asking: Pick<StepRequest, 'model' | 'request'> & Pick<AnswerPartsDeps, 'names'>,
  deps: TurnDeps,
): Promise<{ parts: readonly AssistantPart[]; finish: Finish }> {
  const { model, names, request } = asking;
  const { clock } = deps;
  for (let failures = 1; ; failures += 1) {
    const parts = new AnswerParts({ model, names, newId: () => clock.newId() });
    const end: { finish: Finish | null } = { finish: null };
    const onPart = (part: ModelPart): void => {
      if (part.type === 'ended') {
        end.finish = part.finish;
        run.onUsage(part.usage, costOf(deps.models.info(model), part.usage));
        return;
      }
      parts.add(part);
      if (part.type === 'text') run.onText(textOf(parts.complete));
    };
    try {
      await oneOffRequest(signal, { kind: 'background', model, request }, deps, onPart);
      if (end.finish === null) throw answerErrors.streamEndedEarly();
      if (parts.complete.length === 0 && truncationOf(end.finish) === null)
        throw answerErrors.empty();
      return { parts: parts.complete, finish: end.finish };
    } catch (thrown) {
      signal.throwIfAborted();
      const delay = retryDelay(toModelError(thrown), failures, clock.random());
      if (delay === null) throw thrown;
      await clock.wait(signal, delay);
    }
  }
}

async function resultOf(
  signal: AbortSignal,
  asked: AskedCall,
  context: Omit<ReturnType<typeof backgroundState>, 'calls'> & { readonly agentId: string },
  deps: TurnDeps,
): Promise<ToolResult> {
  const { state, safe, handedOver, agentId } = context;
  const { id } = deps.log;
  const parsed = parseArguments(asked);
  const given = parsed.ok ? parsed.args : asked.arguments;
  const call = newCall('model', calledToolName(asked), given, {
    id: asked.id,
    sessionId: id,
    sessionKey: id,
    agentId,
  });
  const refuse = (result: ToolResult): ToolResult => {
    deps.calls.refuse(call, result);
    return result;
  };
  if (!parsed.ok) return refuse(parsed.result);
  if (isBuiltIn(asked.tool) && asked.tool !== runPython)
    return deps.calls.call(signal, call, undefined, (args) => {
      const found = runBuiltIn(asked.tool, args, state);
      for (const tool of found.handedOver) {
        // The latest tool must come last.
        handedOver.delete(tool);
        handedOver.add(tool);
      }
      return found.result;
    });
  if (!safe.has(asked.tool))
    return refuse(
      failure('LookupError', `There is no tool named ${asked.wire} for background prompts.`),
    );
  return deps.calls.call(signal, call);
}

function textOf(parts: readonly AssistantPart[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
}
