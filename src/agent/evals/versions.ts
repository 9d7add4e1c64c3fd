/**
 * Compares the versions of an evaluation, which give the model other descriptions or schemas of tools and are all tried with
 * the same prompts. Computes the figures of each version, its differences from the first, and whether the best one is better.
 */

import type { EvalState, Trial } from './eval-record.ts';
import { minComparedPrompts } from '../../runtime/spec/evaluation.ts';
import { figuresOf, computeWilsonInterval, type Figures } from './figures.ts';

export interface Difference {
  readonly value: number;
  /** The 95 % confidence interval; null if there are too few trials for one. */
  readonly interval: readonly [low: number, high: number] | null;
}

export interface VersionFigures {
  readonly version: number;
  readonly name: string;
  /** Figures of the prompts by which a version is chosen; `heldOut` has those of the prompts that check the choice. */
  readonly chosenBy: Figures;
  readonly heldOut: Figures;
  /** Means of an ended trial; null if there is none. */
  readonly tokens: number | null;
  readonly requests: number | null;
  /** Differences from the first version; null for itself. The rate is that of the prompts held out. */
  readonly comparedWithFirst: {
    readonly rate: Difference | null;
    readonly tokens: Difference | null;
    readonly requests: Difference | null;
  } | null;
}

/** Which version is better, or why that cannot be said. */
export type Verdict =
  | {
      /** Comparison of the best other version with the first: `open` if the interval of the difference includes 0. */
      readonly at: 'better' | 'worse' | 'open';
      readonly version: number;
      readonly difference: Difference;
    }
  | { readonly at: 'running' | 'too few prompts' | 'no trials' };

/** Every second prompt is held out: no version is chosen by it. */
export function isHeldOut(prompt: number): boolean {
  return prompt % 2 === 1;
}

/** Empty if the evaluation has no versions. */
export function versionFigures(state: EvalState): readonly VersionFigures[] {
  const { versions = [] } = state.evaluation;
  const ended = versions.map((_, version) => endedOf(state, version));
  return versions.map(({ name }, version) => {
    const trialsOfVersion = ended[version] ?? [];
    const first = ended[0] ?? [];
    const all = [...state.trials.values()].filter((trial) => trial.version === version);
    return {
      version,
      name,
      chosenBy: figuresOf(all.filter(({ prompt }) => !isHeldOut(prompt))),
      heldOut: figuresOf(all.filter(({ prompt }) => isHeldOut(prompt))),
      tokens: mean(trialsOfVersion.map(({ usage }) => usage.tokens)),
      requests: mean(trialsOfVersion.map(({ usage }) => usage.requests)),
      comparedWithFirst:
        version === 0
          ? null
          : {
              rate: rateDifference(heldOutTrials(trialsOfVersion), heldOutTrials(first)),
              tokens: meanDifference(trialsOfVersion, first, ({ usage }) => usage.tokens),
              requests: meanDifference(trialsOfVersion, first, ({ usage }) => usage.requests),
            },
    };
  });
}

/**
 * Takes the version that did best with the prompts that choose, and compares it with the first version by the prompts that
 * are held out, so that choosing among several does not flatter it.
 */
export function verdictOf(state: EvalState): Verdict {
  if (state.phase !== 'done') return { at: 'running' };
  if (state.evaluation.prompts.length < minComparedPrompts) return { at: 'too few prompts' };
  const others = versionFigures(state).slice(1);
  const best = others.reduce<VersionFigures | null>(
    (found, one) =>
      found === null || (one.chosenBy.rate ?? 0) > (found.chosenBy.rate ?? 0) ? one : found,
    null,
  );
  const difference = best?.comparedWithFirst?.rate ?? null;
  if (best === null || difference?.interval === undefined || difference.interval === null)
    return { at: 'no trials' };
  const { version } = best;
  const [low, high] = difference.interval;
  // @mutant a version is better only if the interval says so => low > 0 -> true [src/agent/evals/versions.test.ts]
  if (low > 0) return { at: 'better', version, difference };
  if (high < 0) return { at: 'worse', version, difference };
  return { at: 'open', version, difference };
}

function endedOf({ trials }: EvalState, version: number): readonly Trial[] {
  return [...trials.values()].filter(
    (trial) => trial.version === version && (trial.phase === 'passed' || trial.phase === 'failed'),
  );
}

function heldOutTrials(trials: readonly Trial[]): readonly Trial[] {
  return trials.filter(({ prompt }) => isHeldOut(prompt));
}

/** The trials of each prompt with each model, which resemble each other. */
function groupByPromptAndModel(trials: readonly Trial[]): ReadonlyMap<string, readonly Trial[]> {
  const found = new Map<string, Trial[]>();
  for (const trial of trials) {
    const key = `${trial.prompt} ${trial.model}`;
    found.set(key, [...(found.get(key) ?? []), trial]);
  }
  return found;
}

/**
 * The difference of two pass rates, with Newcombe's interval for paired shares: two Wilson intervals, and the correlation of
 * the rates of the same prompts.
 */
export function rateDifference(own: readonly Trial[], first: readonly Trial[]): Difference | null {
  if (own.length === 0 || first.length === 0) return null;
  const [a, b] = [own, first].map((trials) => {
    const rate = passRate(trials);
    const total = effectiveCount(trials);
    return { rate, interval: computeWilsonInterval(rate * total, total) };
  });
  if (a === undefined || b === undefined) return null;
  const value = a.rate - b.rate;
  const shared = correlation(passRates(own), passRates(first));
  const spread = (x: number, y: number): number =>
    Math.sqrt(Math.max(0, x * x - 2 * shared * x * y + y * y));
  const down = spread(a.rate - a.interval[0], b.interval[1] - b.rate);
  const up = spread(a.interval[1] - a.rate, b.rate - b.interval[0]);
  return { value, interval: [value - down, value + up] };
}

/**
 * Returns the number of independent trials that give as much evidence as these. Repeats of a prompt that all end alike count
 * as one trial. How much repeats resemble each other is estimated by an analysis of variance.
 */
export function effectiveCount(trials: readonly Trial[]): number {
  const groups = [...groupByPromptAndModel(trials).values()];
  const size = trials.length / groups.length;
  if (size <= 1) return trials.length;
  const whole = passRate(trials);
  const between =
    groups.length < 2
      ? Infinity
      : groups.reduce((sum, one) => sum + one.length * (passRate(one) - whole) ** 2, 0) /
        (groups.length - 1);
  const within =
    groups.reduce((sum, one) => sum + one.length * passRate(one) * (1 - passRate(one)), 0) /
    (trials.length - groups.length);
  const correlation =
    between + within === 0 || between === Infinity
      ? 1
      : (between - within) / (between + (size - 1) * within);
  return trials.length / (1 + (size - 1) * Math.min(1, Math.max(0, correlation)));
}

/** The pass rate of each prompt with each model. */
function passRates(trials: readonly Trial[]): ReadonlyMap<string, number> {
  return new Map(Array.from(groupByPromptAndModel(trials), ([key, some]) => [key, passRate(some)]));
}

/** Number of pairs at which a correlation is halved, since a few pairs may agree by chance. */
const shrinkage = 4;

/** Pearson's correlation of the values with keys in both maps, reduced if they are few; 0 if one side never varies. */
function correlation(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  const pairs = [...a].flatMap(([key, x]) => {
    const y = b.get(key);
    return y === undefined ? [] : [[x, y] as const];
  });
  const sum = (of: (x: number, y: number) => number): number =>
    pairs.reduce((all, [x, y]) => all + of(x, y), 0);
  const count = pairs.length;
  if (count < 2) return 0;
  const middleX = sum((x) => x) / count;
  const middleY = sum((_, y) => y) / count;
  const together = sum((x, y) => (x - middleX) * (y - middleY));
  const apart = Math.sqrt(sum((x) => (x - middleX) ** 2) * sum((_, y) => (y - middleY) ** 2));
  return apart === 0 ? 0 : (together / apart) * (count / (count + shrinkage));
}

function passRate(trials: readonly Trial[]): number {
  return trials.filter(({ phase }) => phase === 'passed').length / trials.length;
}

/** The mean difference of prompts that both have, with Student's interval. */
function meanDifference(
  own: readonly Trial[],
  first: readonly Trial[],
  amount: (trial: Trial) => number,
): Difference | null {
  const before = groupByPromptAndModel(first);
  const differences = [...groupByPromptAndModel(own)].flatMap(([key, trials]) => {
    const a = mean(trials.map(amount));
    const b = mean((before.get(key) ?? []).map(amount));
    return a === null || b === null ? [] : [a - b];
  });
  const value = mean(differences);
  if (value === null) return null;
  const { length } = differences;
  if (length < 2) return { value, interval: null };
  const variance = differences.reduce((sum, one) => sum + (one - value) ** 2, 0) / (length - 1);
  const spread = studentT(length - 1) * Math.sqrt(variance / length);
  return { value, interval: [value - spread, value + spread] };
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, one) => sum + one, 0) / values.length;
}

const smallT = [12.71, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228];

/** The two-sided 95 % quantile of Student's distribution, to about 1 %. @param degrees at least 1 */
function studentT(degrees: number): number {
  return smallT[degrees - 1] ?? 1.96 + 2.45 / (degrees - 0.7);
}
