/** Which suites run side by side, and what a run leaves out. */
import { expect, test } from 'vitest';
import {
  leftOut,
  performPhase,
  places,
  plan,
  projects,
  suiteNames,
  type PlannedRun,
} from './test-plan.mjs';

/** Names of the runs, by phase. */
function names(...wanted: string[]): string[][] {
  return plan(wanted, 3).map((phase) => phase.map(({ name }) => name));
}

function planned(name: string, workers: number): PlannedRun {
  return { name, workers, suites: [name] };
}

test('every suite is run, whether all are wanted or it alone', () => {
  const all = plan([], 1).flat();
  expect(new Set(all.flatMap(({ suites }) => suites))).toEqual(new Set(suiteNames));
  for (const suite of suiteNames)
    expect(
      new Set(
        plan([suite], 1)
          .flat()
          .flatMap(({ suites }) => suites),
      ),
    ).toEqual(new Set([suite]));
});

test('timing runs alone, and no test with its tag runs beside another suite', () => {
  for (const phase of plan([], 1)) {
    if (phase.length === 1) continue;
    expect(phase.map(({ name }) => name)).not.toContain('timing');
    for (const { suites, options } of phase)
      if (suites.some((suite) => suite in projects))
        // `browser` has no filter, since its projects leave such tests out. The tests of `process` measure processor time.
        if (!['component,browser', 'process'].includes(suites.join()))
          expect(options?.slice(0, 3)).toEqual(['--grep-invert', '@timing', '--workers=1']);
  }
});

test('the soak runs beside the checks, however long the others take, or alone', async () => {
  const [phase = []] = plan([], 1);
  for (const order of [
    ['unit', 'python'],
    ['python', 'unit'],
  ]) {
    const ends = new Map<string, () => void>();
    const perform = async ({ name }: PlannedRun): Promise<void> => {
      await new Promise<void>((resolve) => ends.set(name, resolve));
      ends.delete(name);
    };
    const interruption = new AbortController();
    const whole = performPhase(phase, perform, interruption.signal);
    for (const name of order) {
      expect([...ends.keys()]).not.toContain('soak');
      ends.get(name)?.();
      await new Promise((resolve) => setTimeout(resolve));
    }
    expect([...ends.keys()]).toEqual(['check', 'soak']);
    interruption.abort();
    for (const end of ends.values()) end();
    await whole;
  }
  const [withoutChecks = []] = plan(['unit', 'soak', 'browser'], 1);
  expect(withoutChecks.find(({ name }) => name === 'soak')?.workers).toBe(places);
});

test('only what is wanted is run', () => {
  expect(names('unit', 'timing')).toEqual([['unit'], ['timing']]);
  expect(names('browser', 'python', 'check', 'firefox')).toEqual([
    ['python', 'check', 'firefox', 'browser'],
  ]);
  const calm = ['--grep-invert', '@timing', '--workers=1'];
  expect(plan(['cold'], 1)).toEqual([
    [{ name: 'cold', workers: 1, suites: ['cold'], options: calm }],
  ]);
  expect(plan(['process'], 1)).toEqual([
    [{ name: 'process', workers: 1, suites: ['process'], options: ['--workers=1'] }],
  ]);
});

test('a seventh of the full tests, or all of them', () => {
  const optionsOf = (shard?: number) =>
    plan(['full'], shard)
      .flat()
      .map((run) => run.options);
  const calm = ['--grep-invert', '@timing', '--workers=1'];
  const alone = ['--grep', '@timing', '--workers=1', '--retries=0'];
  expect(optionsOf(3)).toEqual([[...calm, '--shard=3/7']]);
  // All tests that measure time, for one commit in seven.
  expect(optionsOf(6)).toEqual([[...calm, '--shard=6/7'], alone]);
  expect(optionsOf()).toEqual([calm, alone]);
});

test('what is left out is named with the reason', () => {
  expect(leftOut([], undefined)).toEqual([]);
  expect(leftOut(['unit'], 2)).toEqual([]);
  const full =
    'full: sevenths 1, 2, 3, 4, 5, 7 of 7: this commit’s seventh is 6; `npm run test:all` runs all of them';
  expect(leftOut([], 6)).toEqual([
    full,
    'firefox: tests that repeat others: they run for seventh 7',
    'webkit: tests that repeat others: they run for seventh 7',
  ]);
  expect(leftOut(['full'], 6)).toEqual([full]);
  expect(leftOut(['full'], 7)[1]).toBe('full: its timing tests: they run for seventh 6');
});

test('a run begins as soon as there are places for its workers, and in its order', async () => {
  const log: string[] = [];
  const ends = new Map<string, () => void>();
  const perform = async ({ name }: PlannedRun): Promise<void> => {
    log.push(name);
    await new Promise<void>((resolve) => ends.set(name, resolve));
  };
  const phase = [
    planned('two', 2),
    planned('one', 1),
    planned('late', 1),
    planned('wide', places),
    planned('last', 1),
  ];
  const whole = performPhase(phase, perform, new AbortController().signal);
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await new Promise((resolve) => setTimeout(resolve));
  };
  expect(log).toEqual(['two', 'one']);
  await end('one');
  expect(log).toEqual(['two', 'one', 'late']);
  await end('late');
  expect(log).toHaveLength(3);
  await end('two');
  expect(log).toEqual(['two', 'one', 'late', 'wide']);
  await end('wide');
  await end('last');
  expect(await whole).toBe(5);
});

test('after an interruption no further run begins, and those that run are waited for', async () => {
  const interruption = new AbortController();
  const log: string[] = [];
  const perform = async ({ name }: PlannedRun): Promise<void> => {
    log.push(`${name} begins`);
    await new Promise((resolve) => setTimeout(resolve));
    interruption.abort();
    log.push(`${name} ends`);
  };
  const phase = [planned('a', places), planned('b', 1)];
  expect(await performPhase(phase, perform, interruption.signal)).toBe(1);
  expect(log).toEqual(['a begins', 'a ends']);
});
