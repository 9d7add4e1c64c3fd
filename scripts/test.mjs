/** npm test [-- SUITE…]: builds, finds a browser, runs every suite, and ends with `N passed, N failed`. */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureBrowser } from './browser.mjs';
import { projectFolder } from './dist.mjs';
import { run, tool } from './run.mjs';
import { countBrowser, countLines, countUnit } from './test-counts.mjs';

/** @typedef {import('./test-counts.mjs').Count} Count */

const reports = join(projectFolder, 'test-results/reports');
const unitReport = join(reports, 'unit.json');
const browserReport = join(reports, 'browser.json');
const firefoxReport = join(reports, 'firefox.json');

/** @type {Record<string, () => Promise<Count>>} */
const suites = {
  // The check called `unit` is the next suite.
  check: () => suite(['node', 'scripts/check.mjs', '--but', 'unit'], countLines),
  unit: () => suite(vitest(unitReport), () => countUnit(unitReport)),
  python: () => suite(['node', 'scripts/test-python.mjs'], countLines),
  browser: async () => {
    const path = await ensureBrowser();
    console.log(`Browser: ${path}`);
    const env = { CHROMIUM_PATH: path, PLAYWRIGHT_JSON_OUTPUT_NAME: browserReport };
    return suite(tool('@playwright/test/cli.js', 'test'), () => countBrowser(browserReport), env);
  },
  soak: async () => {
    const path = await ensureBrowser();
    return suite(['node', 'bench/soak.mjs', '1'], countLines, { CHROMIUM_PATH: path });
  },
  firefox: async () => {
    const path = await ensureBrowser('firefox').catch(leftOut);
    if (path === null) return { passed: 0, failed: 0 };
    console.log(`Browser: ${path}`);
    const { code } = await run(['node', 'scripts/build.mjs', '--if-stale']);
    if (code !== 0) return broken('the app could not be built');
    const command = vitest(firefoxReport, '--config', 'tests/firefox/vitest.config.ts');
    return suite(command, () => countUnit(firefoxReport), { FIREFOX_PATH: path });
  },
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in suites));
if (unknown.length > 0) {
  console.error(
    `No such suite: ${unknown.join(', ')}. There are ${Object.keys(suites).join(', ')}.`,
  );
  process.exit(1);
}

await rm(reports, { recursive: true, force: true });
await mkdir(reports, { recursive: true });
const total = { passed: 0, failed: 0 };
for (const [name, start] of Object.entries(suites)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`\n── ${name}`);
  const { passed, failed } = await start().catch(broken);
  console.log(`── ${name}: ${passed} passed, ${failed} failed`);
  total.passed += passed;
  total.failed += failed;
}
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed > 0 ? 1 : 0);

/**
 * @param {string} report file to write
 * @param {...string} more options
 */
function vitest(report, ...more) {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  return tool('vitest/vitest.mjs', 'run', ...reporters, ...more);
}

/**
 * One browser is enough to work on Cloche; the second is for whoever has it or may install it.
 * @param {unknown} reason
 */
function leftOut(reason) {
  // Whoever names a Firefox wants it used.
  if ((process.env.FIREFOX_PATH ?? '') !== '') throw reason;
  console.log(
    `The Firefox tests are left out. ${reason instanceof Error ? reason.message : String(reason)}`,
  );
  return null;
}

/**
 * @param {readonly string[]} command
 * @param {(output: string) => Promise<Count> | Count} count
 * @param {Record<string, string>} [env]
 * @returns {Promise<Count>}
 */
async function suite(command, count, env = {}) {
  const { code, output } = await run(command, { env });
  const { passed, failed } = await count(output);
  if (failed > 0) return { passed, failed };
  // A suite that ran nothing, or broke outside its tests, must not look like a good one.
  if (passed === 0) return broken('it ran no test');
  if (code !== 0) return { passed, failed: broken(`it ended with code ${code}`).failed };
  return { passed, failed };
}

/**
 * @param {unknown} reason
 * @returns {Count}
 */
function broken(reason) {
  console.error(
    `The suite failed as a whole: ${reason instanceof Error ? reason.message : String(reason)}`,
  );
  return { passed: 0, failed: 1 };
}
