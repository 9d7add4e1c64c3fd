/** What the summary of `npm test` says, and when it fails the run. */
import { expect, test } from 'vitest';
import { fullShard, summarise, summaryText } from './test-summary.mjs';
import type { RunResult } from './test-summary.mjs';
import type { Outcome, TestResult } from './test-reports.mjs';

function tests(suite: string, count: number, outcome: Outcome = 'passed', seconds = 1) {
  return Array.from({ length: count }, (_, at): TestResult => ({
    suite,
    file: `tests/${suite}.test.ts`,
    name: `${at}`,
    seconds,
    outcome,
  }));
}

function ran(suites: string[], seconds: number, ...found: TestResult[][]): RunResult {
  return { suites, seconds, tests: found.flat(), retries: true };
}

test('suites of one run share its time as their tests did, and add up over runs', () => {
  const { suites } = summarise(
    [
      ran(['browser', 'cold'], 120, tests('browser', 3), tests('cold', 1, 'failed')),
      ran(['cold'], 60, tests('cold', 2)),
      { suites: ['python'], seconds: 90, tests: [], counted: { passed: 40, failed: 2 } },
    ],
    0,
  );
  expect(suites).toEqual([
    { name: 'browser', minutes: 1.5, passed: 3, failed: 0, flaky: 0 },
    { name: 'cold', minutes: 1.5, passed: 2, failed: 1, flaky: 0 },
    { name: 'python', minutes: 1.5, passed: 40, failed: 2, flaky: 0 },
  ]);
});

test('one flaky test of a hundred is allowed, two fail the run', () => {
  const of100 = (flaky: number) =>
    summarise(
      [ran(['browser'], 1, tests('browser', 100 - flaky), tests('browser', flaky, 'flaky'))],
      0,
    );
  expect([of100(1).passed, of100(1).failed, of100(1).troubles]).toEqual([100, 0, []]);
  expect([of100(2).passed, of100(2).failed]).toEqual([100, 1]);
  expect(of100(2).troubles).toEqual(['More than 1.0 % of the tests were flaky.']);
});

test('tests that are never tried again do not dilute the share of flaky ones', () => {
  const unit = { ...ran(['unit'], 1, tests('unit', 2_000)), retries: false };
  const browser = ran(['browser'], 1, tests('browser', 98), tests('browser', 2, 'flaky'));
  expect(summarise([unit, browser], 0).flakyShare).toBe(0.02);
});

test('nor do component tests, whose own flaky ones count', () => {
  const component = ran(['component'], 1, tests('component', 99), tests('component', 1, 'flaky'));
  const browser = ran(['browser'], 1, tests('browser', 49), tests('browser', 1, 'flaky'));
  expect(summarise([component, browser], 0).flakyShare).toBe(0.04);
  expect(summarise([component], 0).flakyShare).toBe(0.01);
});

test('a suite that broke as a whole counts as one failed test', () => {
  const summary = summarise([{ ...ran(['soak'], 1), broken: 'it ended with code 1' }], 0);
  expect([summary.failed, summary.troubles]).toEqual([1, ['soak: it ended with code 1']]);
});

test('what is wrong with the whole run fails it, whatever ran', () => {
  const whole = { troubles: ['The run was interrupted by SIGINT.'], leftOut: ['soak: why'] };
  const summary = summarise([ran(['unit'], 1, tests('unit', 2))], 0, whole);
  expect([summary.passed, summary.failed]).toEqual([2, 1]);
  expect(summaryText(summary)).toContain('Left out:\n\n- soak: why\n');
  expect(summaryText(summary)).toContain(
    'Failed as a whole:\n\n- The run was interrupted by SIGINT.\n',
  );
  expect(summarise([], 0, whole).failed).toBe(1);
});

test('the text names the ten slowest tests, the flaky ones, and a budget that was exceeded', () => {
  const slow = Array.from({ length: 12 }, (_, at) => tests(`s${at}`, 1, 'passed', at)).flat();
  const run = ran(['browser'], 60, tests('browser', 1, 'flaky', 20), slow);
  const text = summaryText(summarise([run], 26 * 60));
  expect(text).toContain('| browser   |       0.2 |         1 |         0 |         1 |');
  expect(text).toContain('26.0 minutes in all; the budget is 25.');
  expect(text).toContain('WARNING: above the budget of 25 minutes.');
  expect(text.match(/^- .* s, s\d+: /gm)).toHaveLength(9);
  expect(text).toContain('Flaky tests (7.7 %):\n\n- 20.0 s, browser: tests/browser.test.ts › 0\n');
  expect(summaryText(summarise([], 25 * 60))).not.toContain('WARNING');
  // What one looks for first is last, where a terminal shows it.
  expect(text.indexOf('| suite')).toBeGreaterThan(text.indexOf('Flaky tests'));
});

test('the text names each test that failed', () => {
  const run = ran(['cold'], 60, tests('cold', 1, 'failed', 3), tests('browser', 1, 'passed'));
  expect(summaryText(summarise([run], 60))).toContain(
    'Failed tests:\n\n- 3.0 s, cold: tests/cold.test.ts › 0\n',
  );
  expect(summaryText(summarise([], 60))).not.toContain('Failed tests');
});

test('a commit has one seventh of the full tests, and the sevenths are about equal', () => {
  expect(['', '0', '00000004ff', 'ffffffff00', 'not a hash'].map(fullShard)).toEqual([
    1, 1, 5, 4, 1,
  ]);
  const hashes = Array.from({ length: 1_000 }, (_, at) => ((at * 2654435761) >>> 0).toString(16));
  const counts = [1, 2, 3, 4, 5, 6, 7].map(
    (k) => hashes.filter((hash) => fullShard(hash) === k).length,
  );
  for (const count of counts) expect(Math.abs(count - 143)).toBeLessThan(40);
});
