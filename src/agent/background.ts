/** Runs one prompt beside the session: with what it has said so far, and the tools that are safe in the background. */

import { savedNameTable } from '../registry/name-table.ts';
import type { ModelMessage, ModelPart, ToolAnswer } from '../spec/model.ts';
import { askAside } from './aside.ts';
import { answerOf } from './answers.ts';
import type { BackgroundPrompt } from './background-run.ts';
import type { PromptSection } from './conversation-type.ts';
import type { TurnEffects } from './effects.ts';
import { promptSections, promptText } from './prompt.ts';
import { joined, messagesOf } from './request.ts';
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
  const said = messagesOf(log.state, model, { images });
  const messages = joined([...(tools.length === 0 ? withoutCalls(said) : said), asking]);
  const agentId = `background-${clock.newId()}`;
  for (let steps = 0; steps < mostSteps; steps += 1) {
    const parts = new StepParts(model, names, () => clock.newId());
    const take = (part: ModelPart): void => {
      if (part.type === 'ended') return;
      parts.take(part);
      if (part.type === 'text') run.onText(textOf(parts));
    };
    const request = { system, messages, tools };
    await askAside(signal, { kind: 'background', model, request }, take, effects);
    const calls = parts.whole.filter((part) => part.type === 'call');
    if (calls.length === 0) return textOf(parts);
    const answers = await Promise.all(
      calls.map(async (asked): Promise<ToolAnswer> => {
        run.onCall(asked.id, asked.tool);
        const result = safe.has(asked.tool)
          ? await effects.call(signal, {
              ...{ id: asked.id, tool: asked.tool, arguments: asked.arguments, caller: 'model' },
              ...{ sessionId: log.id, sessionKey: log.id, turnId: '', agentId, validate: true },
            })
          : failure('LookupError', `There is no tool named ${asked.wire} in the background.`);
        const call = { asked, turnId: '', phase: 'ended', approval: null, result } as const;
        return answerOf({ ...call, arguments: asked.arguments }, result, {
          images: images === true,
          lossIsNews: false,
        });
      }),
    );
    messages.push({ role: 'assistant', parts: parts.whole }, { role: 'tool', answers });
  }
  throw new ModelError('provider', `The model has answered ${mostSteps} times without an end.`);
}

/** Of the tools that can be called here, all with their whole definitions. */
function backgroundSections(
  safe: ReadonlySet<string>,
  effects: TurnEffects,
): readonly PromptSection[] {
  const { state } = effects.log;
  const { tools = [], names = [] } = state.selection ?? {};
  const own = tools.filter(({ name }) => safe.has(name));
  const selection = { tools: own.map((each) => ({ ...each, deferred: false })), names };
  return promptSections({ ...state, selection }, (name) => effects.tool(name));
}

function textOf(parts: StepParts): string {
  return parts.whole.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
}
