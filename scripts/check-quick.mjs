/** npm run check:quick: types, and format, lint and unit tests of what changed since the last commit. */
import {
  eslint,
  performChecks,
  prettier,
  quickSvelteCheck,
  secondsSince,
  typescript,
} from './check-tools.mjs';
import { changedFiles, quickChecks } from './changed-files.mjs';
import { tool } from './run.mjs';

const files = await changedFiles();
const { format, lint, projects, components, related } = quickChecks(files);
console.log(
  files.length === 0
    ? 'Nothing has changed since the last commit.'
    : `Changed since the last commit: ${files.join(', ')}`,
);

/** @type {(readonly [name: string, commands: readonly (readonly string[])[]])[]} */
const queue = [];
if (components) queue.push(['types of components', [quickSvelteCheck()]]);
if (lint.length > 0) queue.push([`lint of ${lint.length} files`, [eslint('quick', ...lint)]]);
if (related.length > 0)
  queue.push([
    'related unit tests',
    [tool('vitest/vitest.mjs', 'related', '--run', '--passWithNoTests', ...related)],
  ]);
for (const project of projects) queue.push([`types of ${project}`, [typescript(project)]]);
if (format.length > 0)
  queue.push([`format of ${format.length} files`, [prettier('--ignore-unknown', ...format)]]);

const began = performance.now();
const failed = await performChecks(queue);
console.log(`${secondsSince(began)} s; ${failed === 0 ? 'all good' : `${failed} failed`}.`);
process.exit(failed > 0 ? 1 : 0);
