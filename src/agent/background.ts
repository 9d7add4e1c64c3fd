/** Runs one prompt beside the session: with what it has said so far, and the tools that are safe in the background. */

import { savedNameTable, type NameTable } from '../registry/name-table.ts';
import type { SessionState } from '../session/session-state.ts';
import type {
  AskedCall,
  AssistantPart,
  ModelMessage,
  ModelPart,
  ModelRef,
  ModelRequest,
  ToolAnswer,
  ToolDefinition,
} from '../spec/model.ts';
import type { ToolResult } from '../spec/result.ts';
import { askAside } from './aside.ts';
import { answerOf } from './answers.ts';
import type { BackgroundPrompt } from './background-run.ts';
import { builtInTools, isBuiltIn, runBuiltIn } from './built-in-tools.ts';
import { callArguments } from './call-arguments.ts';
import { costOf } from './cost.ts';
import type { PromptSection } from './conversation-type.ts';
import type { TurnEffects } from './effects.ts';
import { promptSections, promptText } from './prompt.ts';
import { joined, messagesOf } from './request.ts';
import { modelError, retryDelay } from './retry.ts';
import { withoutCalls } from './without-calls.ts';
import { StepParts } from './step-parts.ts';
import { failure } from '../call/results.ts';
import { ModelError } from '../spec/model-error.ts';

const mostSteps = 20;

/**
 * @returns the answer
 * @throws {ModelError} and the signal's reason
 */
export async function backgroundPrompt(
  signal: AbortSignal,
  run: BackgroundPrompt,
  effects: TurnEffects,
): Promise<string> {
  const { log, clock } = effects;
  const { model } = log.state.head;
  if (model === null) throw new ModelError('model', 'No model is chosen.');
  const canCall = effects.info(model)?.tools !== false;
  const safe = new Set(
    (log.state.selection?.tools ?? [])
      .map(({ name }) => name)
      .filter((name) => effects.tool(name)?.background_safe === true && canCall),
  );
  const names = savedNameTable((log.state.selection?.names ?? []).filter(([id]) => safe.has(id)));
  const tools = (log.state.selection?.tools ?? []).flatMap(({ name, description, parameters }) => {
    const wire = names.toWire(name);
    return wire === undefined ? [] : [{ name: wire, description, parameters }];
  });
  const system = promptText(await effects.hooks.prompt.run(backgroundSections(safe, effects)));
  const info = effects.info(model);
  const images = info === undefined || info.images;
  const asking: ModelMessage = { role: 'user', parts: [{ type: 'text', text: run.prompt }] };
  const said = messagesOf(log.state, model, { images, followed: true });
  const agentId = `background-${clock.newId()}`;
  const calls = new Map(log.state.calls);
  const state = { ...log.state, selection: selectionOf(safe, effects), calls };
  const offered = (): readonly ToolDefinition[] =>
    canCall ? [...tools, ...builtInTools(state)] : [];
  const messages = joined([...(offered().length === 0 ? withoutCalls(said) : said), asking]);
  for (let steps = 0; steps < mostSteps; steps += 1) {
    const request = { system, messages, tools: offered() };
    const parts = await answerTo(signal, run, model, names, request, effects);
    const asked = parts.flatMap((part) => (part.type === 'call' ? [part] : []));
    if (asked.length === 0) return textOf(parts);
    const answers = await Promise.all(
      asked.map(async (one): Promise<ToolAnswer> => {
        run.onCall(one.id, one.tool);
        const result = await resultOf(signal, one, state, { safe, agentId }, effects);
        const call = { asked: one, turnId: '', phase: 'ended', approval: null, result } as const;
        const ended = { ...call, arguments: one.arguments };
        calls.set(one.id, ended);
        return answerOf(ended, result, { images: images === true, lossIsNews: false });
      }),
    );
    messages.push({ role: 'assistant', parts }, { role: 'tool', answers });
  }
  throw new ModelError('provider', `The model has answered ${mostSteps} times without an end.`);
}

/** One answer; asked for again where a fault may pass. */
async function answerTo(
  signal: AbortSignal,
  run: BackgroundPrompt,
  model: ModelRef,
  names: NameTable,
  request: ModelRequest,
  effects: TurnEffects,
): Promise<readonly AssistantPart[]> {
  const { clock } = effects;
  for (let tries = 1; ; tries += 1) {
    const parts = new StepParts(model, names, () => clock.newId());
    const take = (part: ModelPart): void => {
      if (part.type === 'ended') {
        run.onUsage(part.usage, costOf(effects.info(model), part.usage));
        return;
      }
      parts.take(part);
      if (part.type === 'text') run.onText(textOf(parts.whole));
    };
    try {
      await askAside(signal, { kind: 'background', model, request }, take, effects);
      return parts.whole;
    } catch (thrown) {
      signal.throwIfAborted();
      const delay = retryDelay(modelError(thrown), tries, clock.random());
      if (delay === null) throw thrown;
      await clock.wait(signal, delay);
    }
  }
}

async function resultOf(
  signal: AbortSignal,
  asked: AskedCall,
  state: SessionState,
  { safe, agentId }: { readonly safe: ReadonlySet<string>; readonly agentId: string },
  effects: TurnEffects,
): Promise<ToolResult> {
  const given = callArguments(asked);
  if (!given.ok) return given.result;
  if (isBuiltIn(asked.wire)) return runBuiltIn(asked.wire, given.value, state).result;
  if (!safe.has(asked.tool))
    return failure('LookupError', `There is no tool named ${asked.wire} in the background.`);
  const { id } = effects.log;
  return effects.call(signal, {
    ...{ id: asked.id, tool: asked.tool, arguments: given.args, caller: 'model' },
    ...{ sessionId: id, sessionKey: id, turnId: '', agentId, validate: true },
  });
}

/** The tools that can be called here, all with their whole definitions. */
function selectionOf(
  safe: ReadonlySet<string>,
  { log }: TurnEffects,
): NonNullable<SessionState['selection']> {
  const { tools = [], names = [] } = log.state.selection ?? {};
  const own = tools.filter(({ name }) => safe.has(name));
  return { tools: own.map((each) => ({ ...each, deferred: false })), names };
}

function backgroundSections(
  safe: ReadonlySet<string>,
  effects: TurnEffects,
): readonly PromptSection[] {
  const state = { ...effects.log.state, selection: selectionOf(safe, effects) };
  return promptSections(state, (name) => effects.tool(name));
}

function textOf(parts: readonly AssistantPart[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
}
