/** How many tests passed and failed, from what each suite leaves behind. A skipped test counts as failed. */
import { readFile } from 'node:fs/promises';

/** @typedef {{passed: number, failed: number}} Count */

/**
 * Adds up all lines of the form `name: N passed, N failed`.
 * @param {string} output
 * @returns {Count}
 */
export function countLines(output) {
  const total = { passed: 0, failed: 0 };
  for (const [, passed, failed] of output.matchAll(/^\S.*: (\d+) passed, (\d+) failed$/gm)) {
    total.passed += Number(passed);
    total.failed += Number(failed);
  }
  return total;
}

/**
 * Counts the tests in a report of vitest's json reporter.
 * @param {string} file
 * @returns {Promise<Count>}
 */
export async function countUnit(file) {
  const report = await readReport(file);
  const all = number(report.numTotalTests);
  const passed = number(report.numPassedTests);
  return { passed, failed: all - passed };
}

/**
 * Counts the tests in a report of Playwright's json reporter.
 * @param {string} file
 * @returns {Promise<Count>}
 */
export async function countBrowser(file) {
  const { stats } = await readReport(file);
  const { expected, unexpected, flaky, skipped } = record(stats);
  return {
    // Flaky ones failed once and passed at the second try; Playwright's own report names them.
    passed: number(expected) + number(flaky),
    failed: number(unexpected) + number(skipped),
  };
}

/** @param {string} file */
async function readReport(file) {
  /** @type {unknown} */
  const report = JSON.parse(await readFile(file, 'utf8'));
  return record(report);
}

/**
 * @param {unknown} value
 * @returns {Record<string, unknown>}
 */
function record(value) {
  if (typeof value !== 'object' || value === null) throw new Error('The report has another form.');
  return { ...value };
}

/** @param {unknown} value */
function number(value) {
  if (typeof value !== 'number') throw new Error('The report lacks a number.');
  return value;
}
