/** The summary at the end of `npm test`: minutes per suite, the tests that failed, the flaky ones, the slowest. */
import { sum } from './test-reports.mjs';

/** @typedef {import('./test-reports.mjs').TestResult} TestResult */
/**
 * What one command gave, which may have run several suites.
 * @typedef {object} RunResult
 * @property {readonly string[]} suites
 * @property {number} seconds
 * @property {readonly TestResult[]} tests with the names of suites
 * @property {{passed: number, failed: number}} [counted] tests that left no report
 * @property {string} [broken] why it failed as a whole
 * @property {boolean} [retries] whether a test that fails is tried again
 */
/** @typedef {{name: string, minutes: number, passed: number, failed: number, flaky: number}} SuiteSummary */
/** @typedef {{suite: string, file: string, name: string, seconds: number}} NamedTest */
/**
 * @typedef {object} Summary
 * @property {number} minutes
 * @property {boolean} overBudget
 * @property {number} passed flaky ones included
 * @property {number} failed
 * @property {number} flakyShare flaky tests, in relation to the tests of the built app that are tried again
 * @property {readonly SuiteSummary[]} suites
 * @property {readonly NamedTest[]} slowest
 * @property {readonly NamedTest[]} failedTests
 * @property {readonly NamedTest[]} flaky
 * @property {readonly string[]} troubles what failed as a whole
 * @property {readonly string[]} leftOut what did not run, and why
 */

export const budgetMinutes = 25;
const maxFlaky = 0.01;

/**
 * @param {readonly RunResult[]} runs
 * @param {number} seconds of the whole run
 * @param {{troubles?: readonly string[], leftOut?: readonly string[]}} [more] of the whole run
 * @returns {Summary}
 */
export function summarise(runs, seconds, { troubles: more = [], leftOut = [] } = {}) {
  const tests = runs.flatMap((run) => run.tests);
  const flaky = tests.filter(({ outcome }) => outcome === 'flaky');
  const retried = runs.filter((run) => run.retries).flatMap((run) => run.tests);
  // Component tests are many and steady: they would hide how flaky the others are.
  const ofApp = retried.filter(({ suite }) => suite !== 'component');
  const flakyShare = flaky.length / (ofApp.length || retried.length || 1);
  const broken = runs.flatMap(({ suites, broken: why }) =>
    why === undefined ? [] : [`${suites.join(', ')}: ${why}`],
  );
  const troubles = [...more, ...broken];
  if (flakyShare > maxFlaky)
    troubles.push(`More than ${percent(maxFlaky)} of the tests were flaky.`);
  const suites = suiteSummaries(runs);
  return {
    minutes: seconds / 60,
    overBudget: seconds > budgetMinutes * 60,
    passed: sum(suites.map((suite) => suite.passed)),
    // The last line must count every failure.
    failed: sum(suites.map((suite) => suite.failed)) + troubles.length,
    flakyShare,
    suites,
    slowest: [...tests]
      .sort((a, b) => b.seconds - a.seconds)
      .slice(0, 10)
      .map(named),
    failedTests: tests.filter(({ outcome }) => outcome === 'failed').map(named),
    flaky: flaky.map(named),
    troubles,
    leftOut,
  };
}

/**
 * Suites that ran together share the time of their run in proportion to their tests' times.
 * @param {readonly RunResult[]} runs
 * @returns {SuiteSummary[]}
 */
function suiteSummaries(runs) {
  /** @type {Map<string, SuiteSummary>} */
  const found = new Map();
  for (const run of runs) {
    const all = sum(run.tests.map((test) => test.seconds));
    for (const name of run.suites) {
      const tests = run.tests.filter((test) => test.suite === name);
      const share =
        all === 0 ? 1 / run.suites.length : sum(tests.map((test) => test.seconds)) / all;
      const failed = tests.filter((test) => test.outcome === 'failed').length;
      const earlier = found.get(name) ?? { name, minutes: 0, passed: 0, failed: 0, flaky: 0 };
      found.set(name, {
        name,
        minutes: earlier.minutes + (share * run.seconds) / 60,
        passed: earlier.passed + tests.length - failed + (run.counted?.passed ?? 0),
        failed: earlier.failed + failed + (run.counted?.failed ?? 0),
        flaky: earlier.flaky + tests.filter((test) => test.outcome === 'flaky').length,
      });
    }
  }
  return [...found.values()];
}

/**
 * @param {Summary} summary
 * @returns {string} Markdown
 */
export function summaryText(summary) {
  const { suites, slowest, failedTests, flaky, troubles, leftOut } = summary;
  const rows = suites.map(({ name, minutes, passed, failed, flaky: again }) =>
    row(name, minutes.toFixed(1), passed, failed, again),
  );
  return [
    ...section('Slowest tests', slowest.map(testLine)).slice(1),
    ...section('Left out', leftOut),
    ...section(`Flaky tests (${percent(summary.flakyShare)})`, flaky.map(testLine)),
    ...section('Failed tests', failedTests.map(testLine)),
    ...section('Failed as a whole', troubles),
    '',
    ...table(['suite', 'minutes', 'passed', 'failed', 'flaky'], rows),
    '',
    `${summary.minutes.toFixed(1)} minutes in all; the budget is ${budgetMinutes}.`,
    ...(summary.overBudget ? ['', `WARNING: above the budget of ${budgetMinutes} minutes.`] : []),
    '',
  ].join('\n');
}

/**
 * Returns which seventh of the tests tagged `@full` belongs to a commit.
 * @param {string} commit its hash; empty outside git
 * @returns {number} 1 to 7
 */
export function fullShard(commit) {
  const start = /^[0-9a-f]{1,8}/.exec(commit)?.[0] ?? '0';
  return (Number.parseInt(start, 16) % 7) + 1;
}

/**
 * @param {readonly string[]} heads
 * @param {readonly string[]} rows
 */
function table(heads, rows) {
  return [row(...heads), row(...heads.map(() => '---')), ...rows];
}

/** @param {...(string | number)} cells */
function row(...cells) {
  return `| ${cells.map((cell, at) => String(cell)[at === 0 ? 'padEnd' : 'padStart'](9)).join(' | ')} |`;
}

/**
 * @param {string} title
 * @param {readonly string[]} lines
 */
function section(title, lines) {
  return lines.length === 0 ? [] : ['', `${title}:`, '', ...lines.map((line) => `- ${line}`)];
}

/** @param {NamedTest} test */
function testLine({ suite, file, name, seconds }) {
  return `${seconds.toFixed(1)} s, ${suite}: ${file} › ${name}`;
}

/** @param {number} share */
function percent(share) {
  return `${(share * 100).toFixed(1)} %`;
}

/**
 * @param {TestResult} test
 * @returns {NamedTest}
 */
function named({ suite, file, name, seconds }) {
  return { suite, file, name, seconds };
}
