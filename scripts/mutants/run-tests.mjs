/** Runs some tests of a copy, and reports which passed and which failed. */
import { readFile, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { ensureBrowser } from '../browser.mjs';
import { run, tool } from '../run.mjs';

/** @typedef {import('./types.ts').BrowserTest} BrowserTest */
/** @typedef {import('./types.ts').Outcome} Outcome */
/** @typedef {import('./types.ts').TestSet} TestSet */

/** Limit of a run: without a guard, a test may wait or run forever in a process that it starts; milliseconds. */
const limit = 180_000;
const testLimit = 10_000;

/**
 * @param {string} folder
 * @param {readonly TestSet[]} sets of one kind
 * @param {{ all: boolean }} options `all`: whether to continue after the first failure
 * @returns {Promise<Outcome>}
 */
export function runTests(folder, sets, { all }) {
  const unit = sets.flatMap((set) => ('unit' in set ? set.unit : []));
  if (unit.length > 0) return runUnit(folder, [...new Set(unit)], all);
  const python = sets.flatMap((set) => ('python' in set ? set.python : []));
  if (python.length > 0) return runPython(folder, [...new Set(python)]);
  return runBrowser(
    folder,
    sets.flatMap((set) => ('browser' in set ? [set.browser] : [])),
    all,
  );
}

/**
 * Runs files of unit tests.
 * @param {string} folder
 * @param {readonly string[]} files
 * @param {boolean} all
 * @returns {Promise<Outcome>}
 */
async function runUnit(folder, files, all) {
  const report = join(folder, 'unit.json');
  await rm(report, { force: true });
  const options = ['--reporter=json', `--outputFile=${report}`, `--testTimeout=${testLimit}`];
  // One file at a time: the other core tests another mutant.
  if (!all) options.push('--bail=1', '--maxWorkers=1');
  const { output } = await run(tool('vitest/vitest.mjs', 'run', ...options, ...files), {
    quiet: true,
    cwd: folder,
    ...(all ? {} : { signal: AbortSignal.timeout(limit) }),
  });
  const read = await readReport(report);
  if (read === null) return broken(output);
  const results = /** @type {VitestReport} */ (read).testResults;
  const tests = results.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, status }) => ({
      title: `${relative(folder, name)}: ${fullName}`,
      status,
    })),
  );
  const outcome = {
    passed: tests.filter(({ status }) => status === 'passed').map(({ title }) => title),
    failed: tests.filter(({ status }) => status === 'failed').map(({ title }) => title),
    broken: null,
  };
  const unread = results.find(({ status, assertionResults }) => {
    return status === 'failed' && assertionResults.length === 0;
  });
  // Not a failed test: the file cannot be loaded.
  if (unread !== undefined && outcome.failed.length === 0) return broken(unread.message);
  return outcome;
}

/**
 * @typedef {object} VitestReport
 * @property {{name: string, status: string, message: string, assertionResults: {fullName: string, status: string}[]}[]} testResults
 */

/**
 * Runs modules of Python tests under CPython.
 * @param {string} folder
 * @param {readonly string[]} modules
 * @returns {Promise<Outcome>}
 */
async function runPython(folder, modules) {
  const names = modules.map((name) => `tests.${name}`);
  const { code, output } = await run(['python3', '-B', '-m', 'unittest', ...names], {
    quiet: true,
    cwd: join(folder, 'workers/python'),
    signal: AbortSignal.timeout(limit),
  });
  const count = Number(/^Ran (\d+) tests? in/m.exec(output)?.[1] ?? 0);
  const failed = [...output.matchAll(/^(?:FAIL|ERROR): (\S+)/gm)].map(([, name = '']) => name);
  if (count === 0 || (code === 0) !== (failed.length === 0)) return broken(output);
  const passed = Array.from({ length: count - failed.length }, () => modules.join(' '));
  return { passed, failed, broken: null };
}

/**
 * Runs single browser tests.
 * @param {string} folder
 * @param {readonly BrowserTest[]} tests
 * @param {boolean} all
 * @returns {Promise<Outcome>}
 */
async function runBrowser(folder, tests, all) {
  const report = join(folder, 'browser.json');
  await rm(report, { force: true });
  const files = [...new Set(tests.map(({ file }) => file))];
  const titles = tests.map(({ title }) => title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const options = ['--retries=0', '--reporter=json', '--timeout=90000', '-g', titles.join('|')];
  for (const project of new Set(tests.map((test) => test.project)))
    options.push(`--project=${project}`);
  if (!all) options.push('--max-failures=1');
  const { output } = await run(tool('@playwright/test/cli.js', 'test', ...files, ...options), {
    quiet: true,
    cwd: folder,
    env: { CHROMIUM_PATH: await ensureBrowser(), PLAYWRIGHT_JSON_OUTPUT_NAME: report },
  });
  const read = await readReport(report);
  if (read === null) return broken(output);
  const specs = /** @type {PlaywrightReport} */ (read).suites.flatMap(specsOf);
  if (specs.length === 0) return broken(output);
  return {
    passed: specs.filter(({ ok }) => ok).map(({ file, title }) => `tests/${file}: ${title}`),
    // Tests after the first failure have not run, so they neither passed nor failed.
    failed: specs.flatMap(({ ok, file, title, tests: runs }) =>
      !ok && runs.some(({ status }) => status === 'unexpected') ? [`tests/${file}: ${title}`] : [],
    ),
    broken: null,
  };
}

/**
 * @typedef {object} Spec
 * @property {string} title
 * @property {string} file
 * @property {boolean} ok
 * @property {{status: string}[]} tests
 *
 * @typedef {object} Suite
 * @property {Spec[]} [specs]
 * @property {Suite[]} [suites]
 *
 * @typedef {object} PlaywrightReport
 * @property {Suite[]} suites
 */

/**
 * All tests of a suite, also those of inner ones.
 * @param {Suite} suite
 * @returns {Spec[]}
 */
function specsOf({ specs = [], suites = [] }) {
  return [...specs, ...suites.flatMap(specsOf)];
}

/**
 * @param {string} path
 * @returns {Promise<unknown>} null if there is none
 */
async function readReport(path) {
  try {
    /** @type {unknown} */
    const report = JSON.parse(await readFile(path, 'utf8'));
    return report;
  } catch {
    return null;
  }
}

/**
 * The outcome of a run that says nothing about the tests.
 * @param {string} output
 * @returns {Outcome}
 */
function broken(output) {
  return { passed: [], failed: [], broken: output.trim().slice(-2_000) || 'it said nothing' };
}
