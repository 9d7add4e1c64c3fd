import { expect, test } from 'vitest';
import type { EvalState, Trial } from './eval-record.ts';
import { comparedRun } from './versions.fixture.ts';
import { effectiveCount, rateDifference, verdictOf, versionFigures } from './versions.ts';

/** @param passes whether a trial passes */
function run(
  prompts: number,
  repeats: number,
  passes: (trial: Trial) => boolean,
  versions = 2,
): EvalState {
  return comparedRun({ prompts, repeats, versions }, passes);
}

test('each version is tried with the same prompts and repeats, one behind the other', () => {
  const keys = [...run(2, 2, () => true).trials.keys()];
  expect(keys).toEqual([
    ...['0.0.0.0', '0.0.0.1', '0.0.1.0', '0.0.1.1', '1.0.0.0', '1.0.0.1', '1.0.1.0', '1.0.1.1'],
  ]);
});

test('a version that is clearly better with the prompts held out is named', () => {
  const state = run(40, 2, ({ version, prompt }) => version === 1 || prompt % 8 < 2);
  const verdict = verdictOf(state);
  expect(verdict).toMatchObject({ at: 'better', version: 1, difference: { value: 0.75 } });
  const worse = run(40, 2, ({ version, prompt }) => version === 0 || prompt % 8 < 2);
  expect(verdictOf(worse)).toMatchObject({ at: 'worse', version: 1 });
});

test('no version is named if the interval includes 0', () => {
  const little = run(8, 3, ({ version, prompt }) => version === 1 && prompt < 4);
  expect(verdictOf(little)).toMatchObject({ at: 'open', difference: { value: 0.5 } });
  expect(verdictOf(run(40, 2, ({ prompt }) => prompt % 3 === 0))).toMatchObject({ at: 'open' });
});

test('a version that is better only with the prompts that chose it is not named', () => {
  const lucky = run(40, 3, ({ version, prompt }) => version === 1 && prompt % 2 === 0, 3);
  expect(verdictOf(lucky)).toMatchObject({ at: 'open', version: 1, difference: { value: 0 } });
});

test('nothing is said before the end, or with few prompts', () => {
  expect(verdictOf({ ...run(8, 1, () => true), phase: 'running' })).toEqual({ at: 'running' });
  expect(verdictOf(run(7, 50, ({ version }) => version === 1))).toEqual({ at: 'too few prompts' });
});

test('tokens and requests are compared prompt by prompt', () => {
  const [first, second] = versionFigures(run(4, 2, () => true));
  expect([first?.tokens, first?.requests, first?.comparedWithFirst]).toEqual([101.5, 2, null]);
  expect(second?.comparedWithFirst).toMatchObject({
    tokens: { value: 10, interval: [10, 10] },
    requests: { value: 1, interval: [1, 1] },
  });
});

test('repeats count as much as they differ', () => {
  const trials = (passes: (trial: Trial) => boolean): Trial[] => [
    ...run(10, 4, passes, 2).trials.values(),
  ];
  const own = (passes: (trial: Trial) => boolean): Trial[] =>
    trials(passes).filter(({ version }) => version === 0);
  // Always alike: ten prompts say as much as ten trials.
  expect(effectiveCount(own(({ prompt }) => prompt < 5))).toBeCloseTo(10);
  expect(effectiveCount(own(() => true))).toBeCloseTo(10);
  // Unlike inside each prompt.
  expect(effectiveCount(own(({ repeat }) => repeat < 2))).toBeCloseTo(40);
});

test('the interval is smaller if the same prompts fail with both versions', () => {
  const of = (passed: number, version: number): Trial[] => {
    const state = run(40, 1, ({ prompt }) => prompt < passed);
    return [...state.trials.values()].filter((trial) => trial.version === version);
  };
  const [own, first] = [of(30, 1), of(20, 0)];
  const mirrored = first.map((trial) => ({ ...trial, prompt: 39 - trial.prompt }));
  const width = (b: readonly Trial[]): number => {
    const [low = 0, high = 0] = rateDifference(own, b)?.interval ?? [];
    return high - low;
  };
  expect(width(first)).toBeLessThan(width(mirrored) - 0.1);
});

test('the interval of a difference is that of Newcombe', () => {
  // The published example: 56 of 70 and 48 of 80.
  const of = (passed: number, total: number): Trial[] => {
    const state = run(total, 1, ({ prompt }) => prompt < passed);
    return [...state.trials.values()].filter(({ version }) => version === 0);
  };
  const others = of(48, 80).map((trial) => ({ ...trial, prompt: trial.prompt + 1_000 }));
  const found = rateDifference(of(56, 70), others);
  expect(found?.value).toBeCloseTo(0.2, 4);
  expect(found?.interval?.[0]).toBeCloseTo(0.0524, 4);
  expect(found?.interval?.[1]).toBeCloseTo(0.3339, 4);
});
