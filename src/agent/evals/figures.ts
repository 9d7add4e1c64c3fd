/** Pass rates of evaluations, with their intervals. */

import {
  noEvalUsage,
  addEvalUsage,
  type EvalState,
  type EvalUsage,
  type Trial,
} from './eval-record.ts';
import { expectedTool } from '../../runtime/spec/evaluation.ts';

export interface Figures {
  readonly passed: number;
  readonly failed: number;
  /** Ended trials that neither passed nor failed. */
  readonly errors: number;
  readonly waiting: number;
  /** Share of passed trials among those that passed or failed; null if there are none. */
  readonly rate: number | null;
  /** The 95 % interval of the rate. */
  readonly interval: readonly [low: number, high: number] | null;
  readonly usage: EvalUsage;
  /** Median time of ended trials in milliseconds; null if there are none. */
  readonly ms: number | null;
}

export function figuresOf(trials: Iterable<Trial>): Figures {
  const all = [...trials];
  const count = (phase: Trial['phase']): number => all.filter((one) => one.phase === phase).length;
  const passed = count('passed');
  const failed = count('failed');
  const errors = count('error');
  const total = passed + failed;
  const times = all.flatMap(({ phase, ms }) =>
    phase === 'passed' || phase === 'failed' ? [ms] : [],
  );
  return {
    passed,
    failed,
    errors,
    waiting: all.length - total - errors,
    rate: total === 0 ? null : passed / total,
    interval: total === 0 ? null : computeWilsonInterval(passed, total),
    usage: all.reduce((sum, { usage }) => addEvalUsage(sum, usage), noEvalUsage),
    ms: times.sort((a, b) => a - b)[Math.floor((times.length - 1) / 2)] ?? null,
  };
}

/** The Wilson score interval of a share, at 95 %. @param total more than 0 */
export function computeWilsonInterval(passed: number, total: number): readonly [number, number] {
  const z = 1.959963984540054;
  const share = passed / total;
  const spread = z * Math.sqrt((share * (1 - share)) / total + (z * z) / (4 * total * total));
  const middle = share + (z * z) / (2 * total);
  const scale = 1 + (z * z) / total;
  return [Math.max(0, (middle - spread) / scale), Math.min(1, (middle + spread) / scale)];
}

/** `67 %`, with its interval: `67 % (21–94)`. */
export function rateText({ rate, interval }: Pick<Figures, 'rate' | 'interval'>): string {
  if (rate === null || interval === null) return '–';
  const percent = (share: number): string => (share * 100).toFixed(0);
  return `${percent(rate)} % (${percent(interval[0])}–${percent(interval[1])})`;
}

export function figuresFor(
  { trials }: Pick<EvalState, 'trials'>,
  wanted: Readonly<Partial<Pick<Trial, 'prompt' | 'model' | 'version'>>>,
): Figures {
  return figuresOf(
    [...trials.values()].filter(
      ({ prompt, model, version }) =>
        (wanted.prompt === undefined || prompt === wanted.prompt) &&
        (wanted.model === undefined || model === wanted.model) &&
        (wanted.version === undefined || version === wanted.version),
    ),
  );
}

/** The share of trials in which the model called a tool as expected, in one run. */
export interface ToolRate {
  readonly run: EvalState;
  readonly figures: Figures;
}

/**
 * The pass rates of the prompts that expect a call of this tool, from the newest run of each file that has any.
 *
 * @param runs newest first
 */
export function ratesOfTool(runs: readonly EvalState[], tool: string): readonly ToolRate[] {
  const rates = new Map<string, ToolRate>();
  for (const run of runs) {
    if (rates.has(run.file)) continue;
    const prompts = run.evaluation.prompts.flatMap(({ expect }, index) =>
      (expect?.calls?.must ?? []).some((call) => expectedTool(call) === tool) ? [index] : [],
    );
    const figures = figuresOf(
      [...run.trials.values()].filter(
        // Other versions of the tool are not in its file.
        ({ prompt, version }) => prompts.includes(prompt) && version === 0,
      ),
    );
    if (figures.rate !== null) rates.set(run.file, { run, figures });
  }
  return [...rates.values()];
}

/** The thresholds that a run misses, for each model; none where it reaches all. */
export function findMissedThresholds(state: EvalState): readonly string[] {
  const { evaluation, models } = state;
  const missedThreshold = (
    name: string,
    least: number | undefined,
    figures: Figures,
  ): readonly string[] =>
    least === undefined || (figures.rate ?? 0) >= least
      ? []
      : [`${name}: ${rateText(figures)}, at least ${(least * 100).toFixed(0)} % expected`];
  return models.flatMap(({ name }, model) => [
    ...missedThreshold(name, evaluation.threshold, figuresFor(state, { model })),
    ...evaluation.prompts.flatMap(({ threshold }, prompt) =>
      missedThreshold(
        `${name}, prompt ${prompt + 1}`,
        threshold,
        figuresFor(state, { prompt, model }),
      ),
    ),
  ]);
}
