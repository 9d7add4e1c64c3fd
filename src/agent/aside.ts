/** Questions to a model beside the steps of turns: they go through the same hooks. */

import { ModelError } from '../spec/model-error.ts';
import type { ModelPart } from '../spec/model.ts';
import type { TurnEffects } from './effects.ts';
import type { StepAsked } from './hooks.ts';
import { throughStep } from './through-hooks.ts';

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
  const asking = { session: effects.log.id, kind, turnId: '', model };
  const wasAsked = await throughStep(signal, asking, request, effects, async (step) => {
    for await (const part of effects.ask(signal, step.model, step.request, null)) {
      signal.throwIfAborted();
      onPart(part);
    }
    signal.throwIfAborted();
    return 'done';
  });
  if (!wasAsked) throw intercepted();
}

export function intercepted(): ModelError {
  return new ModelError('provider', 'An extension kept the model from being asked.');
}
