/** npm run check:quick: types, and format, lint and unit tests of what changed since the last commit. */
import { eslint, prettier, quickSvelteCheck, typescript } from './check-tools.mjs';
import { changedFiles, quickChecks } from './changed-files.mjs';
import { run, tool } from './run.mjs';

const files = await changedFiles();
const { format, lint, projects, components, related } = quickChecks(files);
console.log(
  files.length === 0
    ? 'Nothing has changed since the last commit.'
    : `Changed since the last commit: ${files.join(', ')}`,
);

/** @type {[name: string, command: readonly string[]][]} long ones first */
const queue = [];
if (components) queue.push(['types of components', quickSvelteCheck()]);
if (lint.length > 0) queue.push([`lint of ${lint.length} files`, eslint('quick', ...lint)]);
if (related.length > 0)
  queue.push([
    'related unit tests',
    tool('vitest/vitest.mjs', 'related', '--run', '--passWithNoTests', ...related),
  ]);
for (const project of projects) queue.push([`types of ${project}`, typescript(project)]);
if (format.length > 0)
  queue.push([`format of ${format.length} files`, prettier('--ignore-unknown', ...format)]);

const began = performance.now();
let failed = 0;
// Two at a time: most of them keep one core busy.
await Promise.all([work(), work()]);
console.log(`${seconds(began)} s; ${failed === 0 ? 'all good' : `${failed} failed`}.`);
process.exit(failed > 0 ? 1 : 0);

/** Performs checks until none is left. */
async function work() {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const [name, command] = next;
    const start = performance.now();
    const { code, output } = await run(command, { quiet: true });
    console.log(`${code === 0 ? '✓' : '✗'} ${name} (${seconds(start)} s)`);
    if (code === 0) continue;
    failed += 1;
    console.log(output.trimEnd().replace(/^/gm, '    '));
  }
}

/** @param {number} start */
function seconds(start) {
  return ((performance.now() - start) / 1000).toFixed(1);
}
