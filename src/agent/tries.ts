/** Asks a model again where its fault may pass: each time for what the session is by then. */

import type { TurnEffects } from './effects.ts';
import { keptFault, retryDelay } from './retry.ts';
import type { StepEnd } from './step.ts';

/**
 * @param ask asks once, of the model that is chosen then
 * @throws the signal's reason
 */
export async function triedAgain(
  signal: AbortSignal,
  ask: () => Promise<StepEnd>,
  effects: TurnEffects,
): Promise<StepEnd> {
  const { clock, live, log } = effects;
  let asked = log.state.head.model;
  for (let tries = 1; ; tries += 1) {
    const tried = await ask();
    if (tried.ok) return tried;
    const delay = retryDelay(tried.error, tries, clock.random());
    if (delay === null) return tried;
    const until = clock.now() + delay;
    live.set({
      phase: 'waiting',
      waiting: { fault: keptFault(tried.error), until, attempt: tries },
    });
    await waited(signal, delay, effects);
    live.set({ waiting: null });
    const { model } = log.state.head;
    // What one model has failed with is no reason to be short with another.
    if (model?.provider !== asked?.provider || model?.model !== asked?.model) tries = 0;
    asked = model;
  }
}

/** Until then, or until the person says something or chooses another model: who does so waits for an answer. */
async function waited(signal: AbortSignal, ms: number, effects: TurnEffects): Promise<void> {
  try {
    await effects.clock.wait(AbortSignal.any([signal, effects.hurried()]), ms);
  } catch {
    signal.throwIfAborted();
  }
}
