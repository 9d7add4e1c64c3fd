/** Which suites run side by side. */
import { expect, test } from 'vitest';
import { plan, projects, suiteNames } from './test-plan.mjs';

/** Names of the runs, by phase. */
function names(...wanted: string[]): string[][] {
  return plan(wanted, 3).map(({ runs }) => runs.map(({ name }) => name));
}

/** All runs of a plan. */
function runsOf(wanted: readonly string[], shard?: number) {
  return plan(wanted, shard).flatMap(({ runs }) => runs);
}

test('every suite is run, whether all are wanted or it alone', () => {
  expect(new Set(runsOf([], 1).flatMap(({ suites }) => suites))).toEqual(new Set(suiteNames));
  for (const suite of suiteNames)
    expect(new Set(runsOf([suite], 1).flatMap(({ suites }) => suites))).toEqual(new Set([suite]));
});

test('runs have names of their own, since their reports are called by them', () => {
  const all = runsOf([]).map(({ name }) => name);
  expect(all).toEqual([...new Set(all)]);
});

test('timing and soak run alone, and nothing that is timed runs beside another suite', () => {
  for (const { atOnce, runs } of plan([], 2)) {
    if (atOnce === 1) continue;
    expect(runs.map(({ name }) => name)).not.toContain('soak');
    for (const { suites, options } of runs)
      if (suites.some((suite) => suite in projects))
        expect(options?.slice(0, 3)).toEqual(['--grep-invert', '@timing', '--workers=1']);
  }
});

test('the parts of the browser tests are all of them', () => {
  const parts = runsOf(['browser']).map(({ options }) => options?.at(-1));
  expect(parts).toEqual(parts.map((_, part) => `--shard=${part + 1}/${parts.length}`));
});

test('only what is wanted is run', () => {
  expect(names('unit', 'component')).toEqual([['unit'], ['component']]);
  const calm = ['--grep-invert', '@timing', '--workers=1'];
  expect(runsOf(['cold'], 1)).toEqual([{ name: 'process', suites: ['cold'], options: calm }]);
  expect(names('process')).toEqual([['process'], ['timing']]);
});

test('a fifth of the full tests, or all of them', () => {
  const optionsOf = (shard?: number) => runsOf(['full'], shard).map((run) => run.options);
  const calm = ['--grep-invert', '@timing', '--workers=1'];
  const alone = ['--grep', '@timing', '--workers=1', '--retries=0'];
  expect(optionsOf(3)).toEqual([[...calm, '--shard=3/5']]);
  // All tests that measure time, for one commit in five.
  expect(optionsOf(2)).toEqual([[...calm, '--shard=2/5'], alone]);
  expect(optionsOf()).toEqual([calm, alone]);
});
