/** A turn: asks the model, runs the calls of its answer, and asks again until there are no more calls. */

import { failure } from '../../runtime/call/results.ts';
import { notWriter } from '../session/session-errors.ts';
import { calledToolName, isSameModel } from '../session/session-state.ts';
import { titleOf } from '../session/session-head.ts';
import { errorText } from '../../runtime/spec/error.ts';
import type { AskedCall, ModelRef } from '../../runtime/spec/model.ts';
import type { ModelError } from '../../runtime/spec/model-error.ts';
import type { StoredFault, TurnEnd } from '../../runtime/spec/session.ts';
import { compact } from './compaction.ts';
import { findFinishedOutput } from './built-in-tools.ts';
import type { QueuedMessage } from './live-state.ts';
import { requestOf } from './request.ts';
import { runCalls, skippedCallResult } from './calls.ts';
import type { TurnDeps } from './deps.ts';
import {
  answerErrors,
  faultOf,
  maxTruncated,
  toModelError,
  truncationOf,
  type Truncation,
  retryDelay,
} from './answer-errors.ts';
import { buildSystemPrompt, runMessageHooks, runStepHooks } from './run-hooks.ts';
import { runStep, type StepEnd } from './step.ts';

/** Limit for the answers of one turn: a model that repeats itself costs money. */
const maxSteps = 100;

/** Characters of each result, attempt by attempt, if the conversation is too long for the model. */
const shorterResults = [4_000, 800];

/** The share of a model's context that a session may fill. */
const maxContextUse = 0.8;

export interface TurnResult {
  readonly end: TurnEnd;
  readonly fault?: StoredFault;
}

/**
 * Logs the messages that start a turn. The first message of a session also gives it its title.
 *
 * @param messages empty to continue from the current position
 * @returns false if hooks let none of the messages through
 * @throws {ToolError} `storage` if another tab writes, `limit` if a message is too long for the log; nothing is logged
 * then
 * @throws the signal's reason; nothing is logged then
 */
export async function beginTurn(
  signal: AbortSignal,
  turnId: string,
  messages: readonly QueuedMessage[],
  deps: TurnDeps,
): Promise<boolean> {
  const { log } = deps;
  if (!(await log.claim())) throw notWriter();
  const accepted = await runMessageHooks(signal, messages, { turnId, steering: false }, deps);
  if (messages.length > 0 && accepted.length === 0) return false;
  // Another tab may have taken over meanwhile.
  if (!log.writes) throw notWriter();
  if (log.state.head.titled === 'no') {
    const title = titleOf(accepted[0]?.parts ?? []);
    if (title !== '') log.append({ type: 'titled', title, by: 'message' });
  }
  log.append(...accepted, { type: 'turn-began', turnId });
  return true;
}

/**
 * Runs a turn to its end, and logs everything except `turn-ended`. The first turn locks the selected tools. Never
 * rejects: unexpected errors are reported and end the turn.
 *
 * @param signal aborts when the user stops the turn
 */
export async function runTurn(
  signal: AbortSignal,
  turnId: string,
  deps: TurnDeps,
): Promise<TurnResult> {
  const { log, selection, report } = deps;
  try {
    // The messages are already logged: reading the tools folder may take a while.
    if (log.state.selection === null) await selection.lock(signal);
    return await runSteps(signal, turnId, deps);
  } catch (thrown) {
    if (signal.aborted && log.state.selection === null) return { end: 'stopped' };
    report(thrown);
    return { end: 'failed', fault: { ...faultOf(toModelError(thrown)), fault: 'internal' } };
  }
}

async function runSteps(signal: AbortSignal, turnId: string, deps: TurnDeps): Promise<TurnResult> {
  const { log } = deps;
  try {
    let inARow = 0;
    for (let steps = 0; steps < maxSteps; steps += 1) {
      await takeMessages(signal, turnId, deps);
      await deps.live.stepGate(signal, { before: 'model' });
      await takeMessages(signal, turnId, deps);
      const step = await nextStep(signal, turnId, deps);
      if (!step.ok) return failedTurn(step.error);
      const truncation = truncationOf(step.finish);
      inARow = truncation === null ? 0 : inARow + 1;
      const calls = endSkippedCalls(step.calls, truncation, deps);
      if (truncation !== null) {
        if (truncation === 'filtered' || step.calls.length === 0)
          return failedTurn(answerErrors.truncated(truncation));
        if (inARow === maxTruncated) return failedTurn(answerErrors.truncatedTooOften());
      } else if (calls.length > 0) {
        await runCalls(signal, { turnId, stepId: step.stepId }, calls, deps);
        if (findFinishedOutput(log.state, turnId) !== null) return { end: 'done' };
      } else if (step.finish === 'other') return failedTurn(answerErrors.unknownFinish());
      else if (!(await takeQueued(signal, turnId, deps))) return { end: 'done' };
    }
    return failedTurn(answerErrors.tooManySteps(maxSteps));
  } catch (thrown) {
    endOpenCalls(turnId, signal.aborted ? 'was stopped' : 'failed', deps);
    if (!signal.aborted) throw thrown;
    return { end: 'stopped' };
  }
}

function failedTurn(error: ModelError): TurnResult {
  return { end: 'failed', fault: faultOf(error) };
}

/** Returns whether the next request would come close to the limit of the model's context. */
function needsCompaction(model: ModelRef, deps: TurnDeps): boolean {
  const { context } = deps.log.state;
  if (context === null) return false;
  const usual = maxContextUse * (deps.models.info(model)?.context ?? Infinity);
  const isFull = context > Math.min(usual, deps.hooks.compactors.threshold);
  deps.breaker.counted(deps.clock.now(), { isFull });
  return isFull;
}

/** Requests one answer. Compacts the conversation first if it is too long. */
async function nextStep(signal: AbortSignal, turnId: string, deps: TurnDeps): Promise<StepEnd> {
  const { breaker, clock, log } = deps;
  const { model } = log.state.head;
  if (model === null) return { ok: false, error: answerErrors.noModel() };
  if (needsCompaction(model, deps)) await compact(signal, model, deps);
  let step = await askWithRetries(signal, turnId, deps);
  if (!isTooLong(step)) return step;
  const chosen = log.state.head.model;
  if (chosen !== null && (await compact(signal, chosen, deps)) === 'done') {
    step = await askWithRetries(signal, turnId, deps);
    if (!isTooLong(step)) return step;
    breaker.counted(clock.now(), { isFull: true });
  }
  for (const chars of shorterResults) {
    step = await askWithRetries(signal, turnId, deps, chars);
    if (!isTooLong(step)) return step;
  }
  return step;
}

/** Returns whether the provider found the request too long. */
function isTooLong(step: StepEnd): boolean {
  return !step.ok && step.error.fault === 'context';
}

/**
 * Asks until there is an answer, or an error that is not retried. Each attempt uses the model that is chosen at that
 * time, and includes the messages sent until then.
 */
async function askWithRetries(
  signal: AbortSignal,
  turnId: string,
  deps: TurnDeps,
  resultChars?: number,
): Promise<StepEnd> {
  const { clock, live, log } = deps;
  let asked = log.state.head.model;
  for (let failures = 1; ; failures += 1) {
    await takeQueued(signal, turnId, deps);
    const { model } = log.state.head;
    if (model === null) return { ok: false, error: answerErrors.noModel() };
    // Failures of one model do not count for another.
    if (!isSameModel(model, asked)) failures = 1;
    asked = model;
    const step = await askOnce(signal, turnId, model, deps, resultChars);
    if (step.ok) return step;
    const delay = retryDelay(step.error, failures, clock.random());
    if (delay === null) return step;
    const waiting = {
      fault: faultOf(step.error),
      until: clock.now() + delay,
      attempt: failures,
    };
    live.set({ phase: 'waiting', waiting });
    // A user who sends a message or chooses another model wants an answer now.
    await clock.wait(AbortSignal.any([signal, live.retrySkipped]), delay).catch(() => {
      signal.throwIfAborted();
    });
    live.set({ waiting: null });
  }
}

async function askOnce(
  signal: AbortSignal,
  turnId: string,
  model: ModelRef,
  deps: TurnDeps,
  resultChars?: number,
): Promise<StepEnd> {
  const { log } = deps;
  const system = await buildSystemPrompt(signal, log.state, 'step', deps);
  const request = requestOf(log.state, model, deps.models.info(model), system, resultChars);
  const asking = { kind: 'step', turnId, model, request } as const;
  const step = await runStepHooks(signal, asking, deps, (changed) =>
    runStep(signal, turnId, changed.model, changed.request, deps),
  );
  return step ?? { ok: false, error: answerErrors.blockedByExtension() };
}

/** Logs the messages that have arrived meanwhile: first the user's, then those of a recording. */
async function takeMessages(signal: AbortSignal, turnId: string, deps: TurnDeps): Promise<void> {
  await takeQueued(signal, turnId, deps);
  const { clock, log } = deps;
  for (const parts of deps.models.recordedMessages())
    log.append({ type: 'message', id: clock.newId(), turnId, parts, steering: true });
}

/** @returns whether a message was logged */
async function takeQueued(signal: AbortSignal, turnId: string, deps: TurnDeps): Promise<boolean> {
  const { log, live } = deps;
  const messages = log.writes ? live.dequeue() : [];
  const accepted = await runMessageHooks(signal, messages, { turnId, steering: true }, deps);
  const unsent = accepted.flatMap((fact): readonly QueuedMessage[] => {
    const { id, parts } = fact;
    const message = messages.find((one) => one.id === id) ?? { id, parts };
    try {
      return log.append(fact) ? [] : [message];
    } catch (thrown) {
      // An extension made the message too long. It must not block the others.
      return [{ ...message, stopped: errorText(thrown) }];
    }
  });
  live.requeue(unsent);
  // Another tab may have taken over while a hook was running.
  if (!log.writes) throw notWriter();
  return accepted.length > unsent.length;
}

/**
 * Ends the calls of an answer that must not run.
 *
 * @returns the other calls
 */
function endSkippedCalls(
  calls: readonly AskedCall[],
  truncation: Truncation | null,
  { log }: TurnDeps,
): readonly AskedCall[] {
  return calls.filter((asked, index) => {
    const result = skippedCallResult(asked, index, truncation);
    if (result !== null) log.append({ type: 'call-ended', callId: asked.id, result });
    return result === null;
  });
}

function endOpenCalls(turnId: string, how: string, { log }: TurnDeps): void {
  for (const [callId, call] of log.state.calls) {
    if (call.turnId !== turnId || call.phase === 'ended') continue;
    const why = `The call to ${calledToolName(call.asked)} was not run: the turn ${how}.`;
    log.append({ type: 'call-ended', callId, result: failure('cancelled', why) });
  }
}
