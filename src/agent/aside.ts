/** Questions to a model beside the steps of turns: they go through the same hooks. */

import { ModelError } from '../spec/model-error.ts';
import type { ModelPart, ModelRequest, ToolAnswer } from '../spec/model.ts';
import type { TurnEffects } from './effects.ts';
import type { StepAsked } from './hooks.ts';

/**
 * Asks, and tells of each part as it comes.
 * @throws {ModelError} also where a hook keeps the model from being asked; the signal's reason
 */
export async function askAside(
  signal: AbortSignal,
  { kind, model, request }: Pick<StepAsked, 'kind' | 'model' | 'request'>,
  onPart: (part: ModelPart) => void,
  effects: TurnEffects,
): Promise<void> {
  const { log, hooks } = effects;
  const made = await hooks.request.run(await throughAnswers(request, effects));
  const reached: { model: boolean } = { model: false };
  const asked = { session: log.id, kind, turnId: '', model, request: made };
  await hooks.steps.run(asked, async (step) => {
    reached.model = true;
    for await (const part of effects.ask(signal, step.model, step.request, null)) {
      signal.throwIfAborted();
      onPart(part);
    }
    signal.throwIfAborted();
    return 'done';
  });
  if (!reached.model) throw intercepted();
}

export async function throughAnswers(
  request: ModelRequest,
  { hooks }: TurnEffects,
): Promise<ModelRequest> {
  const messages = await Promise.all(
    request.messages.map(async (message) => {
      if (message.role !== 'tool') return message;
      const answers: ToolAnswer[] = await Promise.all(
        message.answers.map((answer) => hooks.answer.run(answer)),
      );
      return { ...message, answers };
    }),
  );
  return { ...request, messages };
}

export function intercepted(): ModelError {
  return new ModelError('provider', 'An extension kept the model from being asked.');
}
