/** The tools that check sources, each with a cache that makes its second run fast. */
import { tool } from './run.mjs';

const cache = 'node_modules/.cache/cloche';

/** @param {...string} files */
export function prettier(...files) {
  return tool(
    'prettier/bin/prettier.cjs',
    '--check',
    '--log-level=warn',
    '--cache',
    '--cache-strategy=content',
    `--cache-location=${cache}/prettier`,
    ...files,
  );
}

/**
 * ESLint reuses a file’s cached result even if types in other files have changed, so continuous integration starts
 * without a cache.
 * @param {string} name of its cache
 * @param {...string} words files and options
 */
export function eslint(name, ...words) {
  return tool(
    'eslint/bin/eslint.js',
    '--cache',
    '--cache-strategy=content',
    `--cache-location=${cache}/eslint-${name}`,
    ...words,
  );
}

/**
 * Runs TypeScript 7, which is native code and takes a quarter of the processor time. ESLint and svelte-check need TypeScript 6.
 * @param {string} project
 */
export function typescript(project) {
  return tool(
    'typescript-native/bin/tsc',
    '-p',
    project,
    '--incremental',
    '--tsBuildInfoFile',
    `${cache}/${project.replace('/', '-')}.tsbuildinfo`,
  );
}

export function svelteCheck() {
  return tool(...svelteCheckWords('tsconfig.page.json'));
}

/** Checks components in a third of the time, because it keeps what it compiled in the folder .svelte-check. */
export function quickSvelteCheck() {
  return tool(...svelteCheckWords('tsconfig.quick.json'), '--incremental');
}

/**
 * @param {string} project
 * @returns {[string, ...string[]]}
 */
function svelteCheckWords(project) {
  return [
    'svelte-check/bin/svelte-check',
    `--tsconfig=${project}`,
    '--fail-on-warnings',
    '--output=human',
  ];
}
