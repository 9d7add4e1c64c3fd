/** npm run check [-- NAME… | -- --but NAME…]: everything that can be checked without a browser, with a summary at the end. */
import { run, tool } from './run.mjs';

// Their caches make the second run a quick one.
const cache = 'node_modules/.cache/cloche';
const typescript = (/** @type {string} */ project) =>
  tool(
    'typescript/bin/tsc',
    '-p',
    project,
    '--incremental',
    '--tsBuildInfoFile',
    `${cache}/${project.replace('/', '-')}.tsbuildinfo`,
  );

/** @type {Record<string, readonly (readonly string[])[]>} each check is one or more commands */
const checks = {
  format: [
    tool(
      'prettier/bin/prettier.cjs',
      '--check',
      '--log-level',
      'warn',
      '--cache',
      '--cache-location',
      `${cache}/prettier`,
      '.',
    ),
  ],
  lint: [tool('eslint/bin/eslint.js', '.')],
  types: [
    typescript('tsconfig.page.json'),
    typescript('tsconfig.node.json'),
    typescript('workers/tsconfig.scripts.json'),
    typescript('workers/tsconfig.tests.json'),
  ],
  svelte: [
    tool(
      'svelte-check/bin/svelte-check',
      '--tsconfig',
      'tsconfig.page.json',
      '--fail-on-warnings',
      '--output',
      'human',
    ),
  ],
  imports: [
    tool(
      'dependency-cruiser/bin/dependency-cruise.mjs',
      '--config',
      '.dependency-cruiser.mjs',
      'src',
      'workers',
    ),
  ],
  unused: [tool('knip/bin/knip.js')],
  notices: [['node', 'scripts/notices.mjs', '--check']],
  unit: [tool('vitest/vitest.mjs', 'run')],
  size: [['node', 'scripts/build.mjs', '--if-stale'], tool('size-limit/bin.js')],
};

// No check starts a browser, but the one for unused code reads Playwright's configuration, which wants one.
const env = { CHROMIUM_PATH: process.execPath };

const given = process.argv.slice(2);
const inverted = given[0] === '--but';
const named = inverted ? given.slice(1) : given;
const unknown = named.filter((name) => !(name in checks));
if (unknown.length > 0) {
  console.error(
    `No such check: ${unknown.join(', ')}. There are ${Object.keys(checks).join(', ')}.`,
  );
  process.exit(1);
}

const queue = Object.entries(checks).filter(
  ([name]) => named.length === 0 || named.includes(name) !== inverted,
);
/** @type {boolean[]} */
const outcomes = [];
// Two at a time: most of them keep one core busy.
await Promise.all([work(), work()]);

const failed = outcomes.filter((passed) => !passed).length;
console.log(`check: ${outcomes.length - failed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);

async function work() {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    outcomes.push(await check(...next));
  }
}

/**
 * @param {string} name
 * @param {readonly (readonly string[])[]} commands
 */
async function check(name, commands) {
  const start = performance.now();
  let passed = true;
  let report = '';
  for (const command of commands) {
    const { code, output } = await run(command, { quiet: true, env });
    if (code === 0) continue;
    passed = false;
    report += `${output.trimEnd()}\n`;
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${passed ? '✓' : '✗'} ${name} (${seconds} s)`);
  if (!passed) console.log(report.replace(/^/gm, '    '));
  return passed;
}
