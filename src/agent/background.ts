/** Runs one prompt beside the session: with what it has said so far, and the tools that are safe in the background. */

import { savedNameTable, type NameTable } from '../registry/name-table.ts';
import type { SessionState } from '../session/session-state.ts';
import type {
  AskedCall,
  AssistantPart,
  Finish,
  ModelMessage,
  ModelPart,
  ModelRef,
  ModelRequest,
  ToolAnswer,
  ToolDefinition,
} from '../spec/model.ts';
import type { ToolCall } from '../spec/call.ts';
import type { ToolResult } from '../spec/result.ts';
import { askAside } from './aside.ts';
import { answerOf } from './answers.ts';
import type { BackgroundAnswer, BackgroundPrompt } from './background-run.ts';
import { builtInTools, isBuiltIn, runBuiltIn } from './built-in-tools.ts';
import { callArguments } from './call-arguments.ts';
import { costOf } from './cost.ts';
import { cutFault, cutOf, mostCuts, tooOftenCut, unmadeResult, type Cut } from './cut-answer.ts';
import type { TurnEffects } from './effects.ts';
import { promptSections } from './prompt.ts';
import { joined, messagesOf, toolsOf } from './request.ts';
import { answeredNothing, brokenOff, modelError, retryDelay } from './retry.ts';
import { withoutCalls } from './without-calls.ts';
import { StepParts } from './step-parts.ts';
import { throughPrompt } from './through-hooks.ts';
import { failure } from '../call/results.ts';
import { ModelError } from '../spec/model-error.ts';

const mostSteps = 20;

/** @throws {ModelError} and the signal's reason */
export async function backgroundPrompt(
  signal: AbortSignal,
  run: BackgroundPrompt,
  effects: TurnEffects,
): Promise<BackgroundAnswer> {
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
  const calls = new Map(log.state.calls);
  const handedOver = new Set([...log.state.handedOver].filter((name) => safe.has(name)));
  const state = { ...log.state, selection: selectionOf(safe, effects), calls, handedOver };
  const sections = promptSections(state, (name) => effects.tool(name));
  const system = await throughPrompt(signal, sections, 'background', effects);
  const info = effects.info(model);
  const images = info === undefined || info.images;
  const asking: ModelMessage = { role: 'user', parts: [{ type: 'text', text: run.prompt }] };
  const said = messagesOf(state, model, { images });
  const agentId = `background-${clock.newId()}`;
  const offered = (): readonly ToolDefinition[] =>
    canCall ? [...toolsOf(state), ...builtInTools(state)] : [];
  const messages = joined([...(offered().length === 0 ? withoutCalls(said) : said), asking]);
  let cuts = 0;
  for (let steps = 0; steps < mostSteps; steps += 1) {
    const request = { system, messages, tools: offered() };
    const { parts, finish } = await answerTo(signal, run, model, names, request, effects);
    const asked = parts.flatMap((part) => (part.type === 'call' ? [part] : []));
    const cut = cutOf(finish);
    cuts = cut === null ? 0 : cuts + 1;
    if (cut === 'filtered' || asked.length === 0) return ended(textOf(parts), cut);
    if (cuts === mostCuts) throw tooOftenCut();
    const answers = await Promise.all(
      asked.map(async (one, index): Promise<ToolAnswer> => {
        run.onCall(one);
        const result =
          unmadeResult(one, index, cut) ??
          (await resultOf(signal, one, state, { safe, handedOver, agentId }, effects));
        run.onResult(one.id, result.resultType === 'success');
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

interface Answer {
  readonly parts: readonly AssistantPart[];
  readonly finish: Finish;
}

/** One answer; asked for again where a fault may pass. */
async function answerTo(
  signal: AbortSignal,
  run: BackgroundPrompt,
  model: ModelRef,
  names: NameTable,
  request: ModelRequest,
  effects: TurnEffects,
): Promise<Answer> {
  const { clock } = effects;
  for (let tries = 1; ; tries += 1) {
    const parts = new StepParts(model, names, () => clock.newId());
    const end: { finish: Finish | null } = { finish: null };
    const take = (part: ModelPart): void => {
      if (part.type === 'ended') {
        end.finish = part.finish;
        run.onUsage(part.usage, costOf(effects.info(model), part.usage));
        return;
      }
      parts.take(part);
      if (part.type === 'text') run.onText(textOf(parts.whole));
    };
    try {
      await askAside(signal, { kind: 'background', model, request }, take, effects);
      if (end.finish === null) throw brokenOff();
      if (parts.whole.length === 0 && cutOf(end.finish) === null) throw answeredNothing();
      return { parts: parts.whole, finish: end.finish };
    } catch (thrown) {
      signal.throwIfAborted();
      const delay = retryDelay(modelError(thrown), tries, clock.random());
      if (delay === null) throw thrown;
      await clock.wait(signal, delay);
    }
  }
}

/** What a call beside the session is made with. */
interface Beside {
  readonly safe: ReadonlySet<string>;
  readonly handedOver: Set<string>;
  readonly agentId: string;
}

async function resultOf(
  signal: AbortSignal,
  asked: AskedCall,
  state: SessionState,
  { safe, handedOver, agentId }: Beside,
  effects: TurnEffects,
): Promise<ToolResult> {
  const { id } = effects.log;
  const given = callArguments(asked);
  const call: ToolCall = {
    ...{ id: asked.id, tool: asked.tool === '' ? asked.wire : asked.tool, caller: 'model' },
    arguments: given.ok ? given.args : asked.arguments,
    ...{ sessionId: id, sessionKey: id, turnId: '', agentId, validate: true },
  };
  const refused = (result: ToolResult): ToolResult => {
    effects.refuse(call, result);
    return result;
  };
  if (!given.ok) return refused(given.result);
  if (isBuiltIn(asked.wire))
    return effects.call(signal, call, undefined, (args) => {
      const { result, handedOver: found } = runBuiltIn(asked.wire, args, state);
      for (const tool of found) {
        // The latest is last.
        handedOver.delete(tool);
        handedOver.add(tool);
      }
      return result;
    });
  if (!safe.has(asked.tool))
    return refused(
      failure('LookupError', `There is no tool named ${asked.wire} in the background.`),
    );
  return effects.call(signal, call);
}

/** What has come of an answer that was cut is told with what cut it. */
function ended(text: string, cut: Cut | null): BackgroundAnswer {
  if (cut === null) return { text, ok: true };
  const { message } = cutFault(cut);
  return { text: text === '' ? message : `${text}\n\n[${message}]`, ok: false };
}

/** The tools that can be called here; none is deferred but what providers do not take. */
function selectionOf(
  safe: ReadonlySet<string>,
  { log }: TurnEffects,
): NonNullable<SessionState['selection']> {
  const { tools = [], names = [] } = log.state.selection ?? {};
  const own = tools.filter(({ name }) => safe.has(name));
  return { tools: own.map((each) => ({ ...each, deferred: false })), names };
}

function textOf(parts: readonly AssistantPart[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
}
