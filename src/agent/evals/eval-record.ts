/** The record of one run of an evaluation: events, from which its whole state derives. */

import type { EventLog, EventStamp } from '../runner/event-log.ts';
import type { RunUsage } from '../runner/run-record.ts';
import { defaultRepeats, defaultSteps, type Evaluation } from '../../runtime/spec/evaluation.ts';
import type { ModelRef } from '../../runtime/spec/model.ts';
import { addAmounts } from '../session/usage.ts';
import type { Reason } from './judge-trial.ts';

/** The usage of a trial or a run. */
export interface EvalUsage extends RunUsage {
  /** Requests to models, those of judges included. */
  readonly requests: number;
}

/** The limits of a run, which stops when it has used one of them. */
export interface EvalLimits {
  readonly requests: number;
  readonly tokens: number;
  /** US dollars; null for no limit. */
  readonly cost: number | null;
}

export interface EvalModel {
  readonly ref: ModelRef;
  /** `provider/model` with the provider's name. */
  readonly name: string;
}

/** The treatment of calls of tools that require approval. */
export type EvalApprovals = 'ask' | 'allow' | 'refuse';

export type TrialEnd = 'passed' | 'failed' | 'error';

export type EvalFact =
  | {
      readonly type: 'created';
      readonly evaluation: Evaluation;
      /** Path of the file. */
      readonly file: string;
      /** SHA-256 of the file. */
      readonly fileHash: string;
      /** SHA-256 of the names of all tools, and of their files' hashes. */
      readonly toolsHash: string;
      readonly folder: string;
      readonly folderId: string;
      readonly models: readonly EvalModel[];
      readonly repeats: number;
      readonly limits: EvalLimits;
      readonly approvals: EvalApprovals;
    }
  | { readonly type: 'resumed'; readonly limits: EvalLimits }
  | { readonly type: 'trial-began'; readonly trial: string; readonly session: string }
  | {
      readonly type: 'trial-ended';
      readonly trial: string;
      readonly end: TrialEnd;
      readonly reasons: readonly Reason[];
      readonly answer: string;
      readonly usage: EvalUsage;
      readonly ms: number;
    }
  /** The trial was interrupted, and starts again in another session. */
  | { readonly type: 'trial-dropped'; readonly trial: string; readonly usage: EvalUsage }
  | { readonly type: 'ended'; readonly end: 'done' | 'stopped'; readonly reason: string };

export type EvalEvent = EvalFact & EventStamp;

/** A prompt that is tried once with one model, and with one version of the tools. */
export interface Trial extends Omit<
  Extract<EvalFact, { type: 'trial-ended' }>,
  'type' | 'trial' | 'end'
> {
  readonly key: string;
  /** Index of the prompt, from 0. */
  readonly prompt: number;
  readonly model: number;
  readonly repeat: number;
  /** Index of the version of the tools, from 0; 0 if there are none. */
  readonly version: number;
  readonly phase: 'waiting' | 'running' | TrialEnd;
  /** Empty until the trial has begun. */
  readonly session: string;
}

export type EvalLog = EventLog<EvalFact, EvalState>;

export interface EvalState extends Omit<Extract<EvalFact, { type: 'created' }>, 'type'> {
  readonly id: string;
  readonly phase: 'running' | 'done' | 'stopped';
  readonly reason: string;
  readonly trials: ReadonlyMap<string, Trial>;
  /** Used by trials that were interrupted. */
  readonly dropped: EvalUsage;
  readonly createdAt: number;
  readonly changedAt: number;
}

export const noEvalUsage: EvalUsage = { requests: 0, calls: 0, tokens: 0, cost: null };

export function addEvalUsage(a: EvalUsage, b: EvalUsage): EvalUsage {
  return {
    requests: a.requests + b.requests,
    calls: a.calls + b.calls,
    tokens: a.tokens + b.tokens,
    cost: addAmounts(a.cost, b.cost),
  };
}

/** All that a run has used, as far as trials have ended. */
export function evalUsageOf({ trials, dropped }: Pick<EvalState, 'trials' | 'dropped'>): EvalUsage {
  return [...trials.values()].reduce((sum, { usage }) => addEvalUsage(sum, usage), dropped);
}

/** Returns the number of trials of a run. */
export function trialCount(evaluation: Evaluation, models: number, repeats?: number): number {
  const each = repeats ?? evaluation.repeats ?? defaultRepeats;
  return evaluation.prompts.length * models * each * versionCount(evaluation);
}

export function versionCount({ versions }: Evaluation): number {
  return Math.max(1, versions?.length ?? 0);
}

/** Default limits of a run: all requests that its trials may need, and little money. */
export function defaultLimits(evaluation: Evaluation, trials: number): EvalLimits {
  const requests = trials * ((evaluation.steps ?? defaultSteps) + 1);
  return { requests: Math.min(100_000, requests), tokens: 1_000_000, cost: 1 };
}

/** The state after one more event; an event that does not fit changes nothing. */
export function applyEvalEvent(
  id: string,
  state: EvalState | null,
  event: EvalEvent,
): EvalState | null {
  if (state === null) return event.type === 'created' ? createState(id, event) : null;
  const next = { ...state, changedAt: event.at };
  const changeTrial = (key: string, change: (trial: Trial) => Partial<Trial>): EvalState => {
    const trial = state.trials.get(key);
    if (trial === undefined) return next;
    return { ...next, trials: new Map(state.trials).set(key, { ...trial, ...change(trial) }) };
  };
  switch (event.type) {
    case 'created':
      return next;
    case 'resumed':
      return { ...next, phase: 'running', reason: '', limits: event.limits };
    case 'trial-began':
      return changeTrial(event.trial, () => ({ phase: 'running', session: event.session }));
    case 'trial-ended': {
      const { end, reasons, answer, usage, ms } = event;
      return changeTrial(event.trial, () => ({ phase: end, reasons, answer, usage, ms }));
    }
    case 'trial-dropped':
      return {
        ...changeTrial(event.trial, () => ({ phase: 'waiting', session: '' })),
        dropped: addEvalUsage(state.dropped, event.usage),
      };
    case 'ended':
      return { ...next, phase: event.end, reason: event.reason };
  }
}

function createState(id: string, event: Extract<EvalEvent, { type: 'created' }>): EvalState {
  const { type: _, n: __, at, ...rest } = event;
  const trials = new Map<string, Trial>();
  const versions = versionCount(rest.evaluation);
  for (const prompt of rest.evaluation.prompts.keys())
    for (const model of rest.models.keys())
      for (let repeat = 0; repeat < rest.repeats; repeat += 1)
        // The versions of a prompt are tried one after the other, so that few prompts lack some
        // versions when a run ends at a limit.
        for (let version = 0; version < versions; version += 1) {
          const key = [prompt, model, repeat, ...(versions > 1 ? [version] : [])].join('.');
          trials.set(key, {
            key,
            prompt,
            model,
            repeat,
            version,
            phase: 'waiting',
            session: '',
            reasons: [],
            answer: '',
            usage: noEvalUsage,
            ms: 0,
          });
        }
  return {
    ...rest,
    id,
    phase: 'running',
    reason: '',
    trials,
    dropped: noEvalUsage,
    createdAt: at,
    changedAt: at,
  };
}
