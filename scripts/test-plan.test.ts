/** Which suites run side by side. */
import { expect, test } from 'vitest';
import { plan, projects, suiteNames } from './test-plan.mjs';

/** Names of the runs, by phase and lane. */
function names(...wanted: string[]): string[][][] {
  return plan(wanted, 3).map((tracks) => tracks.map((runs) => runs.map(({ name }) => name)));
}

test('every suite is run, whether all are wanted or it alone', () => {
  const all = plan([], 1).flat(2);
  expect(new Set(all.flatMap(({ suites }) => suites))).toEqual(new Set(suiteNames));
  for (const suite of suiteNames)
    expect(
      new Set(
        plan([suite], 1)
          .flat(2)
          .flatMap(({ suites }) => suites),
      ),
    ).toEqual(new Set([suite]));
});

test('timing and soak run alone, and nothing that is timed runs beside another suite', () => {
  for (const tracks of plan([], 1)) {
    const runs = tracks.flat();
    if (tracks.length === 1 && runs.length === 1) continue;
    expect(runs.map(({ name }) => name)).not.toContain('soak');
    for (const { suites, options } of runs)
      if (suites.some((suite) => suite in projects))
        // `browser` has two workers and no filter: its projects leave such tests out.
        if (suites.join() !== 'component,browser')
          expect(options?.slice(0, 3)).toEqual(['--grep-invert', '@timing', '--workers=1']);
  }
});

test('only what is wanted is run', () => {
  expect(names('unit', 'browser')).toEqual([[['unit']], [['browser']]]);
  const calm = ['--grep-invert', '@timing', '--workers=1'];
  expect(plan(['cold'], 1)).toEqual([[[{ name: 'process', suites: ['cold'], options: calm }]]]);
  expect(names('process')).toEqual([[['process']], [['timing']]]);
});

test('a fifth of the full tests, or all of them', () => {
  const optionsOf = (shard?: number) =>
    plan(['full'], shard)
      .flat(2)
      .map((run) => run.options);
  const calm = ['--grep-invert', '@timing', '--workers=1'];
  const alone = ['--grep', '@timing', '--workers=1', '--retries=0'];
  expect(optionsOf(3)).toEqual([[...calm, '--shard=3/5']]);
  // All tests that measure time, for one commit in five.
  expect(optionsOf(2)).toEqual([[...calm, '--shard=2/5'], alone]);
  expect(optionsOf()).toEqual([calm, alone]);
});
