/** Words for runs of evaluations. */

import type { EvalState, EvalUsage, Trial } from '../../../agent/evals/eval-record.ts';
import { countText } from '../../../runtime/spec/count-text.ts';

export const trialWords: Record<Trial['phase'], string> = {
  waiting: 'Waiting',
  running: 'Running',
  passed: 'Passed',
  failed: 'Failed',
  error: 'Error',
};

/** Number of trials that have ended. */
export function doneCount({ trials }: EvalState): number {
  return [...trials.values()].filter(({ phase }) => phase !== 'waiting' && phase !== 'running')
    .length;
}

/** @param active whether this page carries the run out */
export function evalWords(run: EvalState, active: boolean): string {
  const count = `${doneCount(run)} of ${countText(run.trials.size, 'trial')}`;
  if (active) return `Running, ${count}`;
  if (run.phase === 'done') return `Done, ${countText(run.trials.size, 'trial')}`;
  return `${run.phase === 'running' ? 'Interrupted' : 'Stopped'}, ${count}`;
}

export function evalUsageText({ requests, calls, tokens, cost }: EvalUsage): string {
  const words = [
    countText(requests, 'request'),
    countText(calls, 'call'),
    countText(tokens, 'token'),
  ];
  return [...words, cost === null ? 'cost unknown' : `$${cost.toFixed(4)}`].join(', ');
}
