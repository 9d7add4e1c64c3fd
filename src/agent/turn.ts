/** One turn: asks the model, makes its calls, asks again, until it has nothing more to call. */

import { failure } from '../call/results.ts';
import { ModelError } from '../spec/model-error.ts';
import { errorText } from '../spec/error.ts';
import { calledName } from '../session/called-name.ts';
import { followed } from '../session/session-troubles.ts';
import type { AskedCall, ModelRef } from '../spec/model.ts';
import type { KeptFault, TurnEnd } from '../spec/session.ts';
import { contextFact } from './begin-turn.ts';
import { runCalls } from './calls.ts';
import { compact, isCompactionDue, type CompactionBreaker } from './compaction.ts';
import { cutFault, cutOf, mostCuts, tooOftenCut, unmadeResult, type Cut } from './cut-answer.ts';
import type { TurnEffects } from './effects.ts';
import type { Queued } from './live.ts';
import { promptSections } from './prompt.ts';
import { intercepted } from './aside.ts';
import { requestOf } from './request.ts';
import { keptFault } from './retry.ts';
import { runStep, type StepEnd } from './step.ts';
import { throughMessages, throughPrompt, throughStep } from './through-hooks.ts';
import { triedAgain } from './tries.ts';

/** Answers of one turn; a model that goes round in circles costs money. */
const mostSteps = 100;

/** Characters of each result, from try to try, where the conversation is too long for the model. */
const shorterChars = [4_000, 800];

export interface TurnEnded {
  readonly end: TurnEnd;
  readonly fault?: KeptFault;
}

/**
 * Runs a turn to its end: everything that happens is in the log, `turn-ended` aside.
 *
 * @param signal the person stops it
 */
export async function runTurn(
  signal: AbortSignal,
  turnId: string,
  breaker: CompactionBreaker,
  effects: TurnEffects,
): Promise<TurnEnded> {
  try {
    let cuts = 0;
    for (let steps = 0; steps < mostSteps; steps += 1) {
      await takeMessages(signal, turnId, effects);
      takeDue(turnId, effects);
      await effects.gate(signal, { before: 'model' });
      await takeMessages(signal, turnId, effects);
      takeDue(turnId, effects);
      const step = await nextStep(signal, turnId, breaker, effects);
      if (!step.ok) return { end: 'failed', fault: keptFault(step.error) };
      const cut = cutOf(step.finish);
      cuts = cut === null ? 0 : cuts + 1;
      const made = callsToMake(step.calls, cut, effects);
      if (cut !== null) {
        if (cut === 'filtered' || step.calls.length === 0)
          return { end: 'failed', fault: keptFault(cutFault(cut)) };
        if (cuts === mostCuts) return { end: 'failed', fault: keptFault(tooOftenCut()) };
      } else if (made.length > 0)
        await runCalls(signal, { turnId, stepId: step.stepId }, made, effects);
      else if (step.finish === 'other') return { end: 'failed', fault: keptFault(endedOddly()) };
      else if (!(await takeMessages(signal, turnId, effects))) return { end: 'done' };
    }
    return { end: 'failed', fault: keptFault(tooManySteps()) };
  } catch (thrown) {
    endOpenCalls(turnId, signal.aborted ? 'was stopped' : 'failed', effects);
    if (!signal.aborted) throw thrown;
    return { end: 'stopped' };
  }
}

async function nextStep(
  signal: AbortSignal,
  turnId: string,
  breaker: CompactionBreaker,
  effects: TurnEffects,
): Promise<StepEnd> {
  const { model } = effects.log.state.head;
  if (model === null) return { ok: false, error: noModel() };
  if (isCompactionDue(effects, model, breaker)) await compact(signal, model, breaker, effects);
  const first = await ask(signal, turnId, effects);
  if (first.ok || first.error.fault !== 'context') return first;
  return askShorter(signal, turnId, breaker, first, effects);
}

/** The provider has counted: a summary may fit, or else less of long results. */
async function askShorter(
  signal: AbortSignal,
  turnId: string,
  breaker: CompactionBreaker,
  first: StepEnd,
  effects: TurnEffects,
): Promise<StepEnd> {
  const { model } = effects.log.state.head;
  const compacted = model === null ? 'nothing' : await compact(signal, model, breaker, effects);
  const all = [...(compacted === 'done' ? [undefined] : []), ...shorterChars];
  let last = first;
  for (const chars of all) {
    last = await ask(signal, turnId, effects, chars);
    if (last.ok || last.error.fault !== 'context') return last;
    if (chars === undefined) breaker.counted(true, effects.clock.now());
  }
  return last;
}

/** Each try asks the model that is chosen by then, with what was said by then. */
function ask(
  signal: AbortSignal,
  turnId: string,
  effects: TurnEffects,
  chars?: number,
): Promise<StepEnd> {
  const once = async (): Promise<StepEnd> => {
    await takeMessages(signal, turnId, effects);
    const { model } = effects.log.state.head;
    if (model === null) return { ok: false, error: noModel() };
    return askOnce(signal, turnId, model, effects, chars);
  };
  return triedAgain(signal, once, effects);
}

/** The request goes through the hooks; one that fails, or does not go on, ends the turn. */
async function askOnce(
  signal: AbortSignal,
  turnId: string,
  model: ModelRef,
  effects: TurnEffects,
  chars?: number,
): Promise<StepEnd> {
  const { log } = effects;
  const sections = promptSections(log.state, (name) => effects.tool(name));
  const system = await throughPrompt(signal, sections, 'step', effects);
  const request = requestOf(log.state, model, effects.info(model), system, chars);
  const asking = { session: log.id, kind: 'step', turnId, model } as const;
  let end: StepEnd = { ok: false, error: intercepted() };
  await throughStep(signal, asking, request, effects, async (asked) => {
    end = await runStep(signal, turnId, asked.model, asked.request, effects);
    return end.ok ? 'done' : 'failed';
  });
  return end;
}

/** Messages that have come meanwhile reach the model with the next question. @returns whether there are any */
async function takeMessages(
  signal: AbortSignal,
  turnId: string,
  effects: TurnEffects,
): Promise<boolean> {
  const { log, takeQueue, putBack } = effects;
  const messages = takeQueue();
  const where = { session: log.id, turnId, steering: true };
  const taken = await throughMessages(signal, messages, where, effects);
  const waits = taken.flatMap(({ id, parts, context }): readonly Queued[] => {
    const said = { id, turnId, parts, ...contextFact(context), steering: true };
    const message = messages.find((one) => one.id === id) ?? { id, parts };
    try {
      return log.append({ type: 'message', ...said }) ? [] : [message];
    } catch (thrown) {
      // With what an extension has added it does not fit: it waits as one that is stopped, and keeps no others.
      return [{ ...message, stopped: errorText(thrown) }];
    }
  });
  putBack(waits);
  // Another page has taken over while a hook was waited for.
  if (!log.writes) throw followed();
  return taken.length > waits.length;
}

/** Those of a recording. */
function takeDue(turnId: string, { log, clock, due }: TurnEffects): void {
  for (const parts of due?.() ?? [])
    log.append({ type: 'message', id: clock.newId(), turnId, parts, steering: true });
}

/** Ends those that are not made. */
function callsToMake(
  calls: readonly AskedCall[],
  cut: Cut | null,
  { log }: TurnEffects,
): readonly AskedCall[] {
  return calls.filter((asked, index) => {
    const result = unmadeResult(asked, index, cut);
    if (result !== null) log.append({ type: 'call-ended', callId: asked.id, result });
    return result === null;
  });
}

/** A call whose turn is over is over: those of an answer that was cut were never made. */
function endOpenCalls(turnId: string, how: string, { log }: TurnEffects): void {
  for (const [callId, call] of log.state.calls) {
    if (call.turnId !== turnId || call.phase === 'ended') continue;
    const why = `The call of ${calledName(call.asked)} was not made: the turn ${how}.`;
    const result = failure('cancelled', why);
    log.append({ type: 'call-ended', callId, result });
  }
}

function noModel(): ModelError {
  return new ModelError('model', 'No model is chosen.', 'Choose one below, then press “Go on”.');
}

function endedOddly(): ModelError {
  return new ModelError(
    'provider',
    'The answer ended for a reason that is not known here, and may not be whole.',
    'Press “Go on” to have the rest, or choose another model.',
  );
}

function tooManySteps(): ModelError {
  return new ModelError(
    'provider',
    `The model has answered ${mostSteps} times in this turn.`,
    'Look at what it does, then press “Go on” to let it.',
  );
}
