/** npm test [-- SUITE…] [--all]: builds, finds a browser, runs every suite, and ends with `N passed, N failed`. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { browsers, ensureBrowser } from './browser.mjs';
import { projectFolder } from './dist.mjs';
import { ensurePython } from './find-python.mjs';
import { run, tool } from './run.mjs';
import { leftOut, performPhase, plan, projects, runsRepeats, suiteNames } from './test-plan.mjs';
import { countLines, playwrightTests, vitestTests } from './test-reports.mjs';
import { budgetMinutes, fullShard, summarise, summaryText } from './test-summary.mjs';

/** @typedef {import('./test-plan.mjs').PlannedRun} PlannedRun */
/** @typedef {import('./test-summary.mjs').RunResult} RunResult */
/** @typedef {Pick<RunResult, 'tests' | 'counted' | 'broken' | 'retries'>} Outcome */
/** @typedef {{env?: Record<string, string>, prefix: string, signal: AbortSignal}} How */

/** No suite takes this long, even on a machine with a third of the speed. */
const maxMinutesOfRun = 60;

const results = join(projectFolder, 'test-results');
const reports = join(results, 'reports');

const given = process.argv.slice(2);
// The tests in Firefox and WebKit read it too.
if (given.includes('--all')) process.env.CLOCHE_FULL = '1';
const wanted = given.filter((word) => word !== '--all');
const unknown = wanted.filter((name) => !suiteNames.includes(name));
if (unknown.length > 0) {
  console.error(`No such suite: ${unknown.join(', ')}. Available: ${suiteNames.join(', ')}.`);
  process.exit(1);
}

/** @type {Promise<string> | undefined} */
let found;
/** Several runs need it, but it is started only once as a check. */
const chromium = () => (found ??= ensureBrowser());
/** @type {Promise<boolean> | undefined} */
let built;
/** Builds once, although several tracks may ask for it at the same time. @returns whether it succeeded */
const build = () =>
  (built ??= run(['node', 'scripts/build.mjs', '--if-stale']).then(({ code }) => code === 0));

/** @type {Promise<boolean> | undefined} */
let componentPage;
/** Builds the page of the component tests once, although several runs may ask for it at the same time. */
const buildComponentPage = () =>
  (componentPage ??= run(['node', 'tests/component/page/serve.mjs', '--build']).then(
    ({ code }) => code === 0,
  ));

const interruption = new AbortController();
for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
  process.once(name, () => {
    interruption.abort(`The run was interrupted by ${name}.`);
  });

/** @type {Record<string, (how: How) => Promise<Outcome | null>>} null: left out */
const starts = {
  // The check called `unit` is another suite.
  check: async (how) => {
    // The check would otherwise build the app while the suites that need it run. It reports a failed build itself.
    await build();
    return runCounted(['node', 'scripts/check.mjs', '--but', 'unit'], how);
  },
  unit: (how) => vitest('unit', how),
  python: (how) => runCounted(['node', 'scripts/test-python.mjs'], how),
  soak: async (how) => {
    // Another suite that runs beside it may need the same build.
    if (!(await build())) return { tests: [], broken: 'the app could not be built' };
    return runCounted(['node', 'bench/soak.mjs', '--minutes', '1'], {
      ...how,
      env: { CHROMIUM_PATH: await chromium() },
    });
  },
  firefox: (how) => inBrowser('firefox', how),
  webkit: (how) => inBrowser('webkit', how),
};

await rm(reports, { recursive: true, force: true });
await mkdir(reports, { recursive: true });
const began = performance.now();
const shard = (process.env.CLOCHE_FULL ?? '') === '' ? fullShard(await commit()) : undefined;
const skipped = leftOut(wanted, shard);
/** @type {RunResult[]} */
const ended = [];
/** @type {string[]} */
const troubles = [];
// Tests of most suites need it.
await ensurePython().catch((/** @type {unknown} */ thrown) => troubles.push(String(thrown)));
const { signal: interrupted } = interruption;
for (const phase of plan(wanted, shard)) {
  const begun = await performPhase(
    phase,
    async (each, isAlone) => void ended.push(...(await perform(each, !isAlone))),
    interrupted,
  );
  for (const { name } of phase.slice(begun)) skipped.push(`${name}: ${String(interrupted.reason)}`);
}
if (interrupted.aborted) troubles.push(String(interrupted.reason));
const seconds = (performance.now() - began) / 1000;
const summary = summarise(ended, seconds, { troubles, leftOut: skipped });
const summarised = summaryText(summary);
await writeFile(join(results, 'summary.json'), `${JSON.stringify(summary, null, 2)}\n`);
await writeFile(join(results, 'summary.md'), summarised);
await keepFailed();
console.log(`\n${summarised}`);
if (summary.overBudget)
  console.error(`WARNING: the tests took longer than their budget of ${budgetMinutes} minutes.`);
console.log(`${summary.passed} passed, ${summary.failed} failed`);
process.exit(summary.failed > 0 ? 1 : 0);

/**
 * Runs one planned command, and says how it went.
 * @param {PlannedRun} planned
 * @param {boolean} besideOthers
 * @returns {Promise<RunResult[]>} none where it was left out
 */
async function perform(planned, besideOthers) {
  const { name, suites, options, mayBeEmpty = false } = planned;
  console.log(`\n── ${name}${name === suites.join() ? '' : `: ${suites.join(', ')}`}`);
  const start = performance.now();
  const late = AbortSignal.timeout(maxMinutesOfRun * 60_000);
  const signal = AbortSignal.any([interrupted, late]);
  const how = { prefix: besideOthers ? `${name} │ ` : '', signal };
  const started = options ? playwright(planned, options, how) : starts[name]?.(how);
  const outcome = (await started?.catch(broken)) ?? null;
  if (outcome === null) return [];
  if (signal.aborted)
    outcome.broken = late.aborted
      ? `it took longer than ${maxMinutesOfRun} minutes`
      : 'it was interrupted';
  /** @type {RunResult} */
  const result = { ...outcome, suites, seconds: (performance.now() - start) / 1000 };
  const empty = suites.filter(
    (suite) => !result.tests.some((test) => test.suite === suite) && !result.counted?.passed,
  );
  // A suite that ran no tests must not look successful.
  if (result.broken === undefined && empty.length > 0 && !mayBeEmpty)
    result.broken = `no test of ${empty.join(', ')} was run`;
  const { passed, failed } = summarise([result], 0);
  const endedAt = Math.round((performance.now() - began) / 1000);
  console.log(
    `── ${name}: ${passed} passed, ${failed} failed, ${Math.round(result.seconds)} s, at ${endedAt} s of the whole run`,
  );
  if (result.broken !== undefined) console.error(`${name} failed as a whole: ${result.broken}`);
  return [result];
}

/**
 * Runs suites of Playwright in one command.
 * @param {PlannedRun} planned
 * @param {readonly string[]} options
 * @param {How} how
 * @returns {Promise<Outcome>}
 */
async function playwright({ name, suites, mayBeEmpty = false }, options, how) {
  const report = join(reports, `${name}.json`);
  if (suites.some((suite) => suite !== 'component') && !(await build()))
    return { tests: [], broken: 'the app could not be built' };
  if (
    suites.some((suite) => ['component', 'full'].includes(suite)) &&
    !(await buildComponentPage())
  )
    return { tests: [], broken: 'the page of the component tests could not be built' };
  const env = { CHROMIUM_PATH: await chromium(), PLAYWRIGHT_JSON_OUTPUT_FILE: report };
  const chosen = Object.entries(projects).filter(([suite]) => suites.includes(suite));
  const { code } = await run(
    tool(
      '@playwright/test/cli.js',
      'test',
      ...chosen.flatMap(([, names]) => names.map((project) => `--project=${project}`)),
      // Each run empties its folder first.
      `--output=test-results/${name}`,
      ...options,
      ...(mayBeEmpty ? ['--pass-with-no-tests'] : []),
    ),
    { ...how, env },
  );
  const tests = (await playwrightTests(report)).map((test) => ({
    ...test,
    suite:
      chosen.find(([, names]) => names.some((project) => project === test.suite))?.[0] ??
      test.suite,
  }));
  return { tests, retries: !options.includes('--retries=0'), ...unexplained(code, tests) };
}

/**
 * Runs a suite of Vitest.
 * @param {string} suite
 * @param {How} how
 * @param {...string} options
 * @returns {Promise<Outcome>}
 */
async function vitest(suite, how, ...options) {
  const report = join(reports, `${suite}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const { code } = await run(tool('vitest/vitest.mjs', 'run', ...reporters, ...options), how);
  const tests = (await vitestTests(report, projectFolder)).map((test) => ({ ...test, suite }));
  return { tests, ...unexplained(code, tests) };
}

/**
 * Firefox and WebKit are optional, but for continuous integration and where a variable names them.
 * @param {'firefox' | 'webkit'} name
 * @param {How} how
 * @returns {Promise<Outcome | null>}
 */
async function inBrowser(name, how) {
  const { title, variable } = browsers[name];
  const isNeeded = [variable, 'CI'].some((one) => (process.env[one] ?? '') !== '');
  let path;
  try {
    path = await ensureBrowser(name);
  } catch (thrown) {
    if (isNeeded) throw thrown;
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    console.log(`The ${title} tests are left out. ${why}`);
    skipped.push(`${name}: ${why}`);
    return null;
  }
  if (!(await build())) return { tests: [], broken: 'the app could not be built' };
  const env = { [variable]: path, ...(runsRepeats(name, shard) && { CLOCHE_FULL: '1' }) };
  const config = `tests/${name}/vitest.config.ts`;
  const outcome = await vitest(name, { ...how, env }, '--config', config);
  return { ...outcome, retries: true };
}

/**
 * Runs a command that prints how many of its tests have passed and failed.
 * @param {readonly string[]} command
 * @param {How} how
 * @returns {Promise<Outcome>}
 */
async function runCounted(command, how) {
  const { code, output } = await run(command, how);
  const count = countLines(output);
  return { tests: [], counted: count, ...(count.failed === 0 && unexplained(code, [])) };
}

/**
 * A run that ended badly although no test failed has failed as a whole.
 * @param {number} code
 * @param {RunResult['tests']} tests
 */
function unexplained(code, tests) {
  if (code === 0 || tests.some(({ outcome }) => outcome === 'failed')) return {};
  return { broken: `it ended with code ${code}` };
}

/**
 * The outcome of a run that has failed as a whole.
 * @param {unknown} reason
 * @returns {Outcome}
 */
function broken(reason) {
  return { tests: [], broken: reason instanceof Error ? reason.message : String(reason) };
}

/** Makes `npx playwright test --last-failed` run what has failed in any of the runs. */
async function keepFailed() {
  const failedTests = ended
    .flatMap(({ tests }) => tests)
    .flatMap(({ id, outcome }) => (id !== undefined && outcome === 'failed' ? [id] : []));
  const status = failedTests.length > 0 ? 'failed' : 'passed';
  const folder = join(results, 'browser');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, '.last-run.json'), JSON.stringify({ status, failedTests }));
}

/** Empty outside git. */
async function commit() {
  const { code, output } = await run(['git', 'rev-parse', 'HEAD'], { quiet: true });
  return code === 0 ? output.trim() : '';
}
