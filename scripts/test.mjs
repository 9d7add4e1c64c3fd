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

/** @type {Record<string, () => Promise<Count>>} */
const suites = {
  // The check called `unit` is the next suite.
  check: () => suite(['node', 'scripts/check.mjs', '--but', 'unit'], countLines),
  unit: () =>
    suite(
      tool(
        'vitest/vitest.mjs',
        'run',
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${unitReport}`,
      ),
      () => countUnit(unitReport),
    ),
  python: () => suite(['node', 'scripts/test-python.mjs'], countLines),
  browser: async () => {
    const path = await ensureBrowser();
    console.log(`Browser: ${path}`);
    const env = { CHROMIUM_PATH: path, PLAYWRIGHT_JSON_OUTPUT_NAME: browserReport };
    return suite(tool('@playwright/test/cli.js', 'test'), () => countBrowser(browserReport), env);
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
