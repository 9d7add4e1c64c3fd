/** Runs of evaluations that have ended as a test wants. */

import { applyEvalEvent, noEvalUsage, type EvalState, type Trial } from './eval-record.ts';

/** @param passes whether a trial passes */
export function comparedRun(
  { prompts, repeats = 1, versions = 2 }: { prompts: number; repeats?: number; versions?: number },
  passes: (trial: Trial) => boolean,
  phase: EvalState['phase'] = 'done',
): EvalState {
  const evaluation = {
    name: 'e',
    prompts: Array.from({ length: prompts }, (_, n) => ({ text: `Prompt ${n}` })),
    versions: Array.from({ length: versions }, (_, n) => ({ name: `Version ${n}` })),
  };
  const state = applyEvalEvent('r', null, {
    type: 'created',
    evaluation,
    file: 'evals/e.yaml',
    fileHash: '',
    toolsHash: '',
    folder: 'f',
    folderId: '',
    models: [{ ref: { provider: 'p', model: 'm' }, name: 'p/m' }],
    repeats,
    limits: { requests: 1, tokens: 1, cost: null },
    approvals: 'ask',
    n: 0,
    at: 0,
  });
  if (state === null) throw new Error('There is no run.');
  const trials = [...state.trials.values()].map((trial) => ({
    ...trial,
    phase: passes(trial) ? ('passed' as const) : ('failed' as const),
    usage: {
      ...noEvalUsage,
      requests: 2 + trial.version,
      tokens: 100 + trial.version * 10 + trial.prompt,
    },
  }));
  return { ...state, phase, trials: new Map(trials.map((trial) => [trial.key, trial])) };
}
