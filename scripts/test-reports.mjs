/** Reads the reports of all suites as one list of tests. A skipped test counts as failed. */
import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';

/** @typedef {{passed: number, failed: number}} Count */
/** @typedef {'passed' | 'failed' | 'flaky'} Outcome flaky: passed only at a second try, which counts */
/**
 * @typedef {object} TestResult
 * @property {string} suite the name of Playwright's project, or empty
 * @property {string} file
 * @property {string} name
 * @property {number} seconds of all tries
 * @property {Outcome} outcome
 * @property {string} [id] Playwright's own
 */

/** The type of Playwright's annotation of a test that exceeded a limit: it has failed, even if it stays within the limit at a second try. */
export const tooSlow = 'too slow';

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
 * The tests in a report of vitest's json reporter.
 * @param {string} path
 * @param {string} root folder that files are named from
 * @returns {Promise<TestResult[]>}
 */
export async function vitestTests(path, root) {
  const { testResults } = await readReport(path);
  return list(testResults).flatMap(({ name: file, assertionResults }) =>
    list(assertionResults).map(({ fullName, status, duration, failureMessages }) => ({
      suite: '',
      file: relative(root, text(file)).replaceAll('\\', '/'),
      name: text(fullName),
      // Tests that were skipped or could not start have none.
      seconds: typeof duration === 'number' ? duration / 1000 : 0,
      outcome: outcomeOf(
        status === 'passed' && list(failureMessages, text).length > 0 ? 'flaky' : status,
      ),
    })),
  );
}

/**
 * The tests in a report of Playwright's json reporter.
 * @param {string} path
 * @returns {Promise<TestResult[]>}
 */
export async function playwrightTests(path) {
  const { suites } = await readReport(path);
  return list(suites).flatMap((suite) => testsWithin(suite, []));
}

/**
 * @param {Record<string, unknown>} suite a file, or a `describe`
 * @param {readonly string[]} titles of the suites around
 * @returns {TestResult[]}
 */
function testsWithin({ specs, suites }, titles) {
  const here = list(specs).flatMap(({ id, title, file, tests }) =>
    list(tests).map(({ projectName, status, results }) => ({
      suite: text(projectName),
      file: `tests/${text(file)}`,
      name: [...titles, text(title)].join(' › '),
      seconds: sum(list(results).map(({ duration }) => number(duration))) / 1000,
      outcome: outcomeOf(list(results).some(wasTooSlow) ? 'failed' : status),
      id: text(id),
    })),
  );
  const below = list(suites ?? []).flatMap((inner) =>
    testsWithin(inner, [...titles, text(inner.title)]),
  );
  return [...here, ...below];
}

/** @param {Record<string, unknown>} result of one try */
function wasTooSlow({ status, annotations }) {
  // A test of the limit itself passes although it was exceeded.
  return status !== 'passed' && list(annotations ?? []).some(({ type }) => type === tooSlow);
}

/**
 * @param {unknown} status
 * @returns {Outcome}
 */
function outcomeOf(status) {
  if (status === 'passed' || status === 'expected') return 'passed';
  return status === 'flaky' ? 'flaky' : 'failed';
}

/**
 * @param {readonly number[]} numbers
 */
export function sum(numbers) {
  return numbers.reduce((total, next) => total + next, 0);
}

/** @param {string} path */
async function readReport(path) {
  /** @type {unknown} */
  const report = JSON.parse(await readFile(path, 'utf8'));
  return record(report);
}

/**
 * @template [T=Record<string, unknown>]
 * @param {unknown} value
 * @param {(item: unknown) => T} [read]
 * @returns {T[]}
 */
function list(value, read = /** @type {(item: unknown) => T} */ (record)) {
  if (!Array.isArray(value)) throw new Error('The report lacks a list.');
  return value.map((item) => read(item));
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

/** @param {unknown} value */
function text(value) {
  if (typeof value !== 'string') throw new Error('The report lacks a text.');
  return value;
}
